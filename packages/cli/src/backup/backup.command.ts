import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { takeBackup } from '@portolan/contract/operator';
import { CliError, usageError } from '../cli-error.ts';
import type { Arguments, Command } from '../command.ts';
import { addressOptions } from '../config.ts';
import { connectAsOperator, explained } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { databaseOptions, namesDatabase, onDatabase } from './database-options.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Take a backup of the installation, or verify one',
  usage: ['backup --output <file|-> [options]', 'backup verify <file> [--json]'],
  details: [
    'Asks the running server, as the operator; where none listens, the data folder is opened instead. Everybody goes on',
    'working meanwhile. Secrets stay sealed by the master key, which is not in the file: keep it apart.',
    'verify restores the file into a database that is thrown away, and examines it.',
  ],
  options: {
    output: {
      type: 'string',
      placeholder: 'file',
      description: 'where to write; it appears when it is whole; - is stdout',
    },
    json: { type: 'boolean', description: 'verify: print JSON' },
    ...databaseOptions,
    ...addressOptions,
  },
  examples: ['backup --output portolan.ptb', 'backup verify portolan.ptb'],
  run,
};

async function run(input: Arguments, context: Context): Promise<ExitCode> {
  const [verb, subject, ...rest] = input.words;
  if (verb === 'verify') {
    if (subject === undefined || rest.length > 0)
      throw usageError('Name one file: portolan backup verify portolan.ptb');
    if (namesDatabase(input)) throw usageError('backup verify needs no database; "restore verify" examines one.');
    const flags = input.flag('json') ? ['--json'] : [];
    return onDatabase('check', [resolve(context.workingDirectory, subject), ...flags], input, context);
  }
  if (verb !== undefined) throw usageError(`"backup ${verb}" is not known. There is: backup verify <file>.`);
  const output = input.text('output');
  if (output === undefined) throw usageError('Say where to write: portolan backup --output portolan.ptb');
  const file = output === '-' ? '-' : resolve(context.workingDirectory, output);
  if (namesDatabase(input)) return onDatabase('take', [file], input, context);
  return ofServer(file, input, context);
}

/** The server's answer, into the file; the database of the data folder where no server listens. */
async function ofServer(file: string, input: Arguments, context: Context): Promise<ExitCode> {
  const { client, address } = connectAsOperator(input, context);
  const { environment, workingDirectory } = context;
  const opened = await explained(address, () => client.open(takeBackup), 'operator').catch(async (error: unknown) => {
    const isNamed = input.text('url') !== undefined || environment['PORTOLAN_URL'];
    const folder = resolve(workingDirectory, environment['PORTOLAN_DATA_DIR'] || '.portolan', 'db');
    const isAway = error instanceof CliError && error.code === 'server_unreachable' && !isNamed;
    if (!isAway || !(await stat(folder).catch(() => undefined))) throw error;
    return undefined;
  });
  if (!opened) return onDatabase('take', [file], input, context);
  if (!opened.body) throw brokenOff();
  const body = Readable.fromWeb(opened.body as Parameters<typeof Readable.fromWeb>[0]);
  if (file === '-') {
    await receive(body, toStdout(context));
    return exitCodes.ok;
  }
  const unfinished = `${file}.part`;
  try {
    const bytes = await receive(body, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
    context.err.write(`Backed up to ${file} (${bytes} bytes).\n`);
    return exitCodes.ok;
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof CliError || syscall === undefined) throw error;
    throw new CliError(
      exitCodes.failed,
      'not_written',
      `${file} cannot be written (${code}). Name another file, or make room.`,
    );
  }
}

/** Passes a backup on, and says how long it was. @throws CliError unless it came to its end */
async function receive(body: Readable, destination: Writable): Promise<number> {
  let bytes = 0;
  let tail = '';
  const unpacked = createGunzip();
  unpacked.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.subarray(-endLength).toString('latin1')).slice(-endLength);
  });
  const ended = new Promise<boolean>((done) => unpacked.on('end', () => done(true)).on('error', () => done(false)));
  const watch = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (unpacked.write(chunk)) done(null, chunk);
      else unpacked.once('drain', () => done(null, chunk));
    },
    flush: (done) => {
      unpacked.end();
      done();
    },
  });
  try {
    await pipeline(body, watch, destination);
  } catch (error) {
    unpacked.destroy();
    throw (error as NodeJS.ErrnoException).syscall === undefined ? brokenOff() : error;
  }
  if (!(await ended) || !/\{"end":true,[^\n]*\}\n$/.test(tail)) throw brokenOff();
  return bytes;
}

/** Longer than the last line of a backup. */
const endLength = 400;

function brokenOff(): CliError {
  const message = 'The server broke off before the end of the backup. Its log says why; take another.';
  return new CliError(exitCodes.failed, 'backup_broken_off', message);
}

function toStdout({ out }: Context): Writable {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      out.writeBytes(chunk);
      out.flushed().then(() => done(), done);
    },
  }).resume();
}
