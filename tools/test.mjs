// `npm test`: every check and every test, one line each. The last line counts the tests.
// Random draws and the order of tests follow from PORTOLAN_TEST_SEED, which is the same unless it is given.
// --only <stage or group>[,…] runs some of it; --fast leaves the slow stages out and says which.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installIfNeeded, requireNode, stopwatch } from './lib/prepare.mjs';
import { root } from './lib/root.mjs';
import { stagesNamed, stagesOnRequest } from './lib/stages.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const isCi = process.env.CI === 'true';
const outputFolder = mkdtempSync(join(tmpdir(), 'portolan-test-'));

requireNode();
process.env.PORTOLAN_TEST_SEED ??= '20261121';
const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, fast: { type: 'boolean', default: false } },
});
const chosen = stagesNamed(flags.only.split(',').filter(Boolean));
await installIfNeeded(say);

const results = [];
await runAll(
  chosen.filter(({ group }) => group === 'static'),
  2,
);
await runAll(
  chosen.filter(({ group }) => group !== 'static'),
  1,
);
rmSync(outputFolder, { recursive: true });
process.exitCode = summarize();

async function runAll(list, atATime) {
  const waiting = [...list];
  const worker = async () => {
    for (let stage = waiting.shift(); stage; stage = waiting.shift()) results.push(await runStage(stage));
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

async function runStage(stage) {
  const none = stage.none?.();
  if (none) return report({ stage, state: 'none', reason: none });
  const skipped = (flags.fast && stage.slow && 'left out by --fast') || stage.missing?.();
  if (skipped) return report({ stage, state: 'skip', reason: skipped, tests: { passed: 0, failed: 0, skipped: 1 } });
  const seconds = stopwatch();
  const file = join(outputFolder, `${stage.name}.json`);
  const { code, output } = await execute(stage.command ?? vitestCommand(stage, file), stage.environment);
  const outcome = stage.vitest && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const tests = countTests(outcome);
  const isOk = code === 0 && tests.failed === 0 && (!stage.vitest || tests.passed > 0);
  // A stage that failed without a failing test (a check, or a suite that did not load) counts as one failure.
  if (!isOk && tests.failed === 0) tests.failed = 1;
  // what failed comes before all that passed: whoever keeps only the beginning of a long log has it
  const failures = listFailures(outcome);
  const said = isOk ? '' : `${failures}${output}`;
  return report({ stage, state: isOk ? 'ok' : 'FAIL', seconds: seconds(), tests, output: said, failures });
}

function vitestCommand(stage, file) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return [join(root, 'node_modules/.bin/vitest'), 'run', ...stage.vitest, ...reporters];
}

function execute([program, ...parameters], environment) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

function countTests(outcome) {
  if (!outcome) return { passed: 0, failed: 0, skipped: 0 };
  const skipped = outcome.numPendingTests + outcome.numTodoTests;
  return { passed: outcome.numPassedTests, failed: outcome.numFailedTests, skipped };
}

/** The failed tests and the files that did not load, each with what it said. */
function listFailures(outcome) {
  const failures = (outcome?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length > 0) return tests.map((test) => [`${name} > ${test.fullName}`, ...test.failureMessages]);
    return status === 'failed' ? [[name, message]] : [];
  });
  return failures.map((lines) => `\n✗ ${lines.join('\n')}\n`).join('');
}

function report(result) {
  const { stage, state, seconds, tests, reason, output } = result;
  const counted =
    stage.vitest && tests ? `${tests.passed} tests${tests.skipped ? `, ${tests.skipped} skipped` : ''}` : '';
  const time = seconds ? `${seconds} s`.padStart(8) : ''.padStart(8);
  say(`${state.padEnd(4)}  ${stage.name.padEnd(12)} ${time}  ${reason ?? counted}`.trimEnd());
  if (state === 'FAIL') say(output);
  return result;
}

function summarize() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { tests } of results) for (const kind of Object.keys(total)) total[kind] += tests?.[kind] ?? 0;
  const failed = results.filter(({ state }) => state === 'FAIL');
  const skips = results.filter(({ tests }) => tests?.skipped);
  say('');
  // once more, for whoever keeps only the end of a long log
  for (const { failures } of failed) if (failures) say(failures);
  if (failed.length > 0) say(`Failed: ${failed.map(({ stage }) => stage.name).join(', ')}`);
  for (const { stage, reason, tests } of skips) say(`Skipped: ${stage.name}: ${reason ?? `${tests.skipped} tests`}`);
  if (!flags.only) for (const { name, reason } of stagesOnRequest) say(`On request (--only ${name}): ${reason}`);
  if (isCi && skips.length > 0) say('Nothing may be skipped here (CI=true): this run failed.');
  say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return failed.length > 0 || (isCi && skips.length > 0) ? 1 : 0;
}
