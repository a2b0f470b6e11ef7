import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './source-files.ts';

/** What the lock file says about one installed package. */
export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A manifest of this repository. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The packages of the lock file by the path where they are installed; those of this repository left out. */
export function lockedPackages(): Record<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.fromEntries(
    Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link),
  );
}

/** Whether a Node range of a manifest accepts a version; knows the forms that packages use, not every form there is. */
export function acceptsNode(range: string, version: string): boolean {
  const wanted = numbers(version);
  return range.split('||').some((alternative) => {
    const terms = alternative
      .trim()
      .replaceAll(/([<>=^~]+)\s+/g, '$1')
      .split(/\s+/)
      .filter(Boolean);
    return terms.every((term) => acceptsTerm(term, wanted));
  });
}

function acceptsTerm(term: string, wanted: readonly number[]): boolean {
  const [, operator = '', text = ''] = /^([<>=^~]*)v?(.*)$/.exec(term) ?? [];
  if (text === '' || text === '*' || text === 'x') return true;
  const bound = numbers(text);
  const order = compare(wanted, bound);
  if (operator === '>=') return order >= 0;
  if (operator === '>') return order > 0;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  if (operator === '^') return order >= 0 && wanted[0] === bound[0];
  if (operator === '~') return order >= 0 && wanted[0] === bound[0] && (bound.length < 2 || wanted[1] === bound[1]);
  return bound.every((number, index) => number === wanted[index]);
}

function numbers(version: string): number[] {
  return version
    .split('.')
    .filter((part) => /^\d+/.test(part))
    .map((part) => Number.parseInt(part, 10));
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < 3; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
