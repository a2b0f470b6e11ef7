import { once } from 'node:events';
import type { WriteStream } from 'node:tty';
import type { Output } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { run } from './run.ts';
import { runOnDatabase } from './run-on-database.ts';

const environment = { ...process.env };

for (const stream of [process.stdout, process.stderr]) {
  // A reader that closes the pipe early (`| head`) is no failure.
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? exitCodes.ok : 1));
}

function toOutput(stream: WriteStream): Output {
  const isTerminal = stream.isTTY === true;
  return {
    write: (text) => void stream.write(text),
    writeBytes: (bytes) => void stream.write(bytes),
    flushed: async () => {
      if (stream.writableNeedDrain) await once(stream, 'drain');
    },
    isTerminal,
    hasColor: isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb',
  };
}

function onInterrupt(listener: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

run(process.argv.slice(2), {
  out: toOutput(process.stdout),
  err: toOutput(process.stderr),
  environment,
  workingDirectory: process.cwd(),
  fetch,
  input: () => process.stdin,
  onInterrupt,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  // built beside the command line, in a clone, the image and the installed package alike
  startServer: async (settings) => {
    Object.assign(process.env, settings);
    await import(new URL('../../server/dist/main.js', import.meta.url).href);
  },
  runOnDatabase,
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`portolan: unexpected: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    process.exitCode = exitCodes.failed;
  },
);
