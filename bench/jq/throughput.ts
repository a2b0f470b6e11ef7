/**
 * `npx tsx bench/jq/throughput.ts`: cached evaluations and compilations per CPU second, side by side with jq-web (WebAssembly)
 * and, where installed, @michaelhomer/jqjs (the fastest JavaScript engine on the registry).
 */
import { createRequire } from 'node:module';
import { compile } from '../../packages/jq/src/index.ts';
import { entity, expressions } from './cases.ts';
import { callsPerCpuSecond, cpuMicroseconds, thousands } from './measure.ts';

interface JqWeb {
  raw(json: string, filter: string, flags: string[]): string;
}

const require = createRequire(new URL('../../packages/jq/package.json', import.meta.url));
const jqWeb = (await require('jq-web')) as JqWeb;
const json = JSON.stringify(entity);

interface JqJs {
  compile(source: string): (input: unknown) => Iterable<unknown>;
}

/** Not a dependency: the import is tried, and the column stays empty where the package is not installed. */
async function jqJs(): Promise<JqJs | undefined> {
  try {
    const name = '@michaelhomer/jqjs';
    const module = (await import(name)) as JqJs & { default?: JqJs };
    return module.default ?? module;
  } catch {
    return undefined;
  }
}

const peer = await jqJs();
const line = (cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
const ratio = (ours: number, theirs: number | undefined): string =>
  theirs === undefined ? '–' : `${(ours / theirs).toFixed(1)}×`;

line(['expression', 'ours', 'jq-web', 'ratio', 'jqjs', 'ratio']);
line(['---', '---:', '---:', '---:', '---:', '---:']);
const all: number[] = [];
for (const source of expressions) {
  const program = compile(source);
  const ours = callsPerCpuSecond(() => program.run(entity));
  all.push(ours);
  const web = callsPerCpuSecond(() => jqWeb.raw(json, source, ['-c']), 100);
  let other: number | undefined;
  try {
    const filter = peer?.compile(source);
    if (filter !== undefined) other = callsPerCpuSecond(() => [...filter(entity)]);
  } catch {
    other = undefined;
  }
  line([
    `\`${source.replaceAll('|', '\\|')}\``,
    thousands(ours),
    thousands(web),
    ratio(ours, web),
    other === undefined ? '–' : thousands(other),
    ratio(ours, other),
  ]);
}
const mean = all.length / all.reduce((sum, value) => sum + 1 / value, 0);
process.stdout.write(`\nall ${all.length} in turn: ${thousands(mean)} cached evaluations per CPU second\n`);

let count = 0;
const start = cpuMicroseconds();
for (let round = 0; round < 300; round++) {
  for (const source of expressions) {
    compile(`${source} # ${count}`).run(entity);
    count++;
  }
}
process.stdout.write(
  `parse + compile + first run of a new expression: ${((cpuMicroseconds() - start) / count).toFixed(1)} µs\n`,
);
