import type { Document } from './document.ts';
import { toText } from './json.ts';

const catalogFile = /(^|\/)catalog-info\.ya?ml$/i;

/** Whether Backstage looks for documents in a file of this name by itself; a workflow may have the name as well. */
export function isCatalogFile(path: string): boolean {
  return catalogFile.test(path) && !path.includes('.github/workflows/');
}

/** Whether a file may belong to a template of the scaffolder, with gaps that are filled in later. */
export function isTemplateFile(path: string): boolean {
  return /template|skeleton|content|scaffold/i.test(path);
}

/** What a Location names. */
export function listTargets({ spec }: Document): readonly string[] {
  const { target, targets } = spec ?? {};
  const named = [toText(target), ...(Array.isArray(targets) ? targets.map(toText) : [])];
  return named.filter((one) => one !== undefined);
}

/**
 * The paths that a target names, relative to the file that names it; `*` and `**` stand for those that are there. A
 * path that leads out of the root, or an address, is elsewhere.
 */
export function expandTarget(target: string, from: string, paths: readonly string[]): readonly string[] | 'elsewhere' {
  const [, place = target] = /^(?:file|url):(?!\/\/)(.*)$/s.exec(target) ?? [];
  if (/^[a-z][a-z0-9+.-]*:/i.test(place) || place.startsWith('/')) return 'elsewhere';
  const path = joinPath(from, place);
  if (path === undefined) return 'elsewhere';
  if (!/[*?{]/.test(path)) return [path];
  const pattern = toPattern(path);
  return paths.filter((one) => pattern.test(one));
}

/** Resolves `./` and `../` without the file system; undefined above the root. */
function joinPath(from: string, target: string): string | undefined {
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** `**` spans folders, `*` and `?` stay within a name, `{a,b}` is one of both. */
function toPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 1) return `(?:${part.slice(1, -1).split(',').map(literal).join('|')})`;
    return literal(part);
  });
  return new RegExp(`^${source}$`, 's');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
