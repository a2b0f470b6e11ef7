// `npm run mutate [-- <target, folder or file> …]`: changes one small thing at a time and asks whether a test notices.
// See tools/mutate/README.md. Never part of `npm test`: hours of work, and a judgement rather than a promise.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findIllTyped } from './mutate/check-types.ts';
import { chooseTargets } from './mutate/choose-targets.ts';
import equivalents from './mutate/equivalent.json' with { type: 'json' };
import { History } from './mutate/history.ts';
import { changedLines, type Mutant, type NumberedMutant } from './mutate/mutant.ts';
import { numberMutants, readSource, toKey } from './mutate/plan.ts';
import { isAbout, judge, reportFolder, scoreTable, survivorLines } from './mutate/report.ts';
import { tryMutants } from './mutate/try-mutants.ts';

const wantedScore = 85;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'postgres' },
    sample: { type: 'string' },
    limit: { type: 'string', default: '60' },
    fresh: { type: 'boolean', default: false },
    json: { type: 'string' },
    report: { type: 'boolean', default: false },
  },
});
const say = (line: string): void => console.log(line);
const { engine } = flags;
if (engine !== 'embedded' && engine !== 'postgres') throw new Error('--engine is embedded or postgres.');

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const history = new History(flags.fresh);
const folders = [];
const places = positionals.filter((word) => /:\d+$/.test(word));
for (const target of chooseTargets(positionals.map((word) => word.replace(/:\d+$/, '')))) {
  const { name, sources, tests, removals = [] } = target;
  const mutants = sampled(numberMutants(target), Number(flags.sample ?? 1)).filter(isChosen);
  const unknown = mutants.filter((each) => !history.compiles.has(toKey(each)));
  const illTyped = findIllTyped(unknown);
  for (const each of unknown) history.add({ key: toKey(each), compiles: !illTyped.has(each.id) });
  const compiling = mutants.filter((each) => history.compiles.get(toKey(each)));
  say(`${name}: ${compiling.length} mutants in ${sources.length} files`);
  if (!flags.report)
    await tryMutants({ mutants: compiling, tests, engine, limitMs: Number(flags.limit) * 1000, history, say });
  const report = reportFolder(
    name,
    mutants.map((each) => judge(each, history, equivalents)),
  );
  for (const line of survivorLines(report)) say(line);
  for (const { id } of removals.length > 0 ? mutants : [])
    say(`${removals[id]?.fix}: ${history.killedBy.get(toKey(mutants[id] as NumberedMutant)) ?? 'NOTHING'}`);
  folders.push(report);
}
const judged = folders.flatMap(({ mutants }) => mutants);
const isTouched = (file: string): boolean => judged.some((each) => each.file === file);
const stale =
  flags.sample || places.length > 0
    ? []
    : equivalents.filter((entry) => isTouched(entry.file) && !judged.some((each) => isAbout(entry, each)));
for (const { file, before } of stale) say(`The list of equivalents names a line that is not there: ${file}: ${before}`);
say(scoreTable(folders));
if (flags.json) writeFileSync(flags.json, `${JSON.stringify({ engine, folders }, null, 2)}\n`);
if (stale.length > 0 || folders.some(({ score }) => score !== null && score < wantedScore)) process.exitCode = 1;

/** `a.ts:12` chooses the mutants of one line. */
function isChosen(mutant: Mutant): boolean {
  const { line } = changedLines(readSource(mutant.file), mutant);
  return places.length === 0 || places.includes(`${mutant.file}:${line}`);
}

/** Every n-th mutant, so that all files are in a sample. */
function sampled<T>(list: readonly T[], every: number): T[] {
  return list.filter((_, index) => index % every === 0);
}
