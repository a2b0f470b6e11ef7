import { matchesFolders } from '../files/path-pattern.ts';
import type { Codeowners, CodeownersEntry, CodeownersFault } from './codeowners.ts';
import { readWords } from './read-words.ts';

interface Rule extends CodeownersEntry {
  readonly section: string;
  readonly isExclusion: boolean;
  readonly patterns: readonly (readonly string[])[];
}

interface Section {
  readonly name: string;
  readonly owners: readonly string[];
}

const noSection: Section = { name: '', owners: [] };

/**
 * GitHub, GitLab and Bitbucket: patterns like those of `.gitignore`, the last match decides. In GitLab each section
 * decides apart, a line without owners takes those of its section, and a path without a leading slash may lie anywhere.
 */
export function parseGitignoreLike(lines: readonly string[], dialect: 'github' | 'gitlab' | 'bitbucket'): Codeowners {
  const isGitLab = dialect === 'gitlab';
  const rules: Rule[] = [];
  const faults: CodeownersFault[] = [];
  let section = noSection;
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const opened = isGitLab ? readSection(text) : undefined;
    if (opened) {
      // sections of one name are one, whatever the case
      const before = rules.find((rule) => rule.section.toLowerCase() === opened.name.toLowerCase());
      section = before ? { ...opened, name: before.section } : opened;
      continue;
    }
    const [written, ...owners] = readWords(text);
    if (written === undefined) continue;
    const isExclusion = written.startsWith('!');
    const message = whyUnusable(written, isExclusion, isGitLab);
    if (message) {
      faults.push({ line, message });
      continue;
    }
    rules.push({
      line,
      pattern: written,
      owners: owners.length > 0 ? owners : section.owners,
      section: section.name,
      isExclusion,
      patterns: isGitLab ? gitLabPatterns(written.replace(/^!/, '')) : gitHubPatterns(written),
    });
  }
  return {
    entries: rules.filter((rule) => !rule.isExclusion).map(toEntry),
    faults,
    cost: rules.reduce((sum, { pattern }) => sum + (pattern.includes('*') ? pattern.length : 1), 0),
    ownersOf: (path) => ownersBySection(rules, path.split('/')),
  };
}

function toEntry({ line, pattern, owners, section }: Rule): CodeownersEntry {
  return { line, pattern, owners, ...(section ? { section } : {}) };
}

/** Longer patterns, and those with more stars, would take their time with every path. */
const patternMax = 1_000;
const starsMax = 50;

function whyUnusable(pattern: string, isExclusion: boolean, isGitLab: boolean): string | undefined {
  if (pattern.length > patternMax) return `A pattern of more than ${patternMax} characters is left out`;
  if (pattern.split('*').length > starsMax) return `A pattern with ${starsMax} stars or more is left out`;
  if (isGitLab) return undefined;
  if (isExclusion) return 'A pattern may not begin with "!" here; the host skips the line';
  if (/(?<!\\)[[\]]/.test(pattern)) return 'A pattern may not hold "[" or "]" here; the host skips the line';
  return undefined;
}

function ownersBySection(rules: readonly Rule[], path: readonly string[]): readonly string[] {
  const decided = new Map<string, readonly string[]>();
  const excluded = new Set<string>();
  for (const { section, isExclusion, owners, patterns } of rules) {
    if (!patterns.some((pattern) => matchesFolders(pattern, path))) continue;
    if (isExclusion) excluded.add(section);
    else decided.set(section, owners);
  }
  return [...new Set([...decided].flatMap(([section, owners]) => (excluded.has(section) ? [] : owners)))];
}

/** `[Docs]`, `^[Docs]`, `[Docs][2] @owner`. */
function readSection(text: string): Section | undefined {
  const found = /^\s*\^?\[([^\]]+)\](?:\[\d+\])?(.*)$/.exec(text);
  return found ? { name: found[1]?.trim() ?? '', owners: readWords(found[2] ?? '') } : undefined;
}

/** A slash before the end anchors at the root; a name means a file or all of a folder; `folder/*` only what is in it. */
function gitHubPatterns(pattern: string): string[][] {
  const isFolder = pattern.endsWith('/');
  const names = pattern.replace(/^\/|\/$/g, '').split('/');
  const isAnchored = pattern.replace(/\/$/, '').includes('/');
  const base = isAnchored ? names : ['**', ...names];
  if (isFolder) return [[...base, '**', '*']];
  if (isAnchored && names.at(-1) === '*') return [base];
  return [base, [...base, '**', '*']];
}

/** Only a slash at the beginning anchors; only a slash at the end means all of a folder. */
function gitLabPatterns(pattern: string): string[][] {
  const names = pattern.replace(/^\/|\/$/g, '').split('/');
  const base = pattern.startsWith('/') ? names : ['**', ...names];
  return [pattern.endsWith('/') ? [...base, '**', '*'] : base];
}
