import { randomUUID } from 'node:crypto';
import { getAiQuota, getInvocation, invokeAssistant, listInvocations } from '@portolan/contract/assistant-operations';
import type { Client } from '@portolan/contract/client';
import { readInvocationStream } from '@portolan/contract/invocation-stream';
import { CliError } from '../cli-error.ts';
import type { Arguments } from '../command.ts';
import { readAddress, readCredentials } from '../config.ts';
import { connectWith } from '../connection.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { explainError, foreign } from '../explain-error.ts';
import type { Check } from './check.ts';
import { examineReads, type Reads } from './examine-reads.ts';

/** The output of `doctor --json`. `model` is that of the newest invocation; null if there is none. */
export interface Report {
  readonly ok: boolean;
  readonly url: string;
  readonly version: string | null;
  readonly model: {
    readonly provider: string;
    readonly model: string;
    readonly isLanguageModel: boolean | null;
  } | null;
  readonly checks: readonly Check[];
}

const probeMsMax = 5_000;
const askMsMax = 60_000;

/** Runs the checks in order and stops when the rest would fail for the same reason. */
export async function examine(
  input: Arguments,
  context: Context,
): Promise<{ report: Report; exitCode: ExitCode | undefined }> {
  const address = readAddress(input, context);
  const url = address.value;
  const checks: Check[] = [{ name: 'address', status: 'ok', message: `${url} (from ${address.source})` }];
  let exitCode: ExitCode | undefined;
  let version: string | null = null;
  let model: Report['model'] = null;
  let reads: Reads | undefined;

  /** Whether the check passed; an exception is its failure. */
  const check = async (name: Check['name'], body: () => Promise<string>): Promise<boolean> => {
    try {
      checks.push({ name, status: 'ok', message: await body() });
      return true;
    } catch (error) {
      const explained = explainError(error, url);
      if (!explained) throw error;
      checks.push({ name, status: 'failed', message: explained.message, code: explained.code });
      exitCode ??= explained.exitCode;
      return false;
    }
  };

  const isServing =
    (await check('server', async () => {
      version = await readVersion(context, url);
      return `Portolan ${version}`;
    })) &&
    (await check('ready', async () => {
      reads = await probeReady(context, url);
      return 'migrated and serving';
    }));
  const ofReads = reads ? examineReads(reads) : [];
  checks.push(...ofReads);
  if (ofReads.some(({ status }) => status === 'failed')) exitCode ??= exitCodes.failed;
  if (isServing) {
    let client: Client | undefined;
    const isSignedIn = await check('credentials', async () => {
      const { value, source } = readCredentials(input, context, url);
      client = connectWith(value, url, context);
      await client.call(listInvocations, { query: { limit: 1 } });
      return `${value.clientId} is accepted (from ${source})`;
    });
    if (isSignedIn && client) {
      const signedIn = client;
      const answers = await check('assistant', () => examineAssistant(signedIn, input.flag('ask')));
      model = await readModel(signedIn);
      checks.push(modelCheck(model, answers));
    }
  }
  return { report: { ok: exitCode === undefined, url, version, model, checks }, exitCode };
}

/** @throws CliError `unexpected_answer` if the server is not Portolan */
async function readVersion(context: Context, url: string): Promise<string> {
  const response = await context.fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(probeMsMax) });
  const document = (await response.json().catch(() => ({}))) as { info?: { title?: unknown; version?: unknown } };
  if (response.ok && /portolan/i.test(String(document.info?.title))) return String(document.info?.version);
  throw foreign(url, String(response.status));
}

async function probeReady(context: Context, url: string): Promise<Reads | undefined> {
  const response = await context.fetch(`${url}/ready`, { signal: AbortSignal.timeout(probeMsMax) });
  const body = (await response.json().catch(() => ({}))) as { message?: unknown; reads?: Reads };
  if (response.ok) return body.reads;
  const reason = typeof body.message === 'string' ? body.message : `/ready answered ${response.status}`;
  throw new CliError(exitCodes.unreachable, 'service_unavailable', `${reason}. Look at the log of the server.`);
}

async function examineAssistant(client: Client, asks: boolean): Promise<string> {
  const { monthlyQuotaUsage } = await client.call(getAiQuota);
  const { remainingQuota, monthlyLimit, month } = monthlyQuotaUsage;
  if (remainingQuota <= 0) {
    const message = `All ${monthlyLimit} invocations of ${month} are used. The operator can raise the quota.`;
    throw new CliError(exitCodes.failed, 'ai_quota_exceeded', message);
  }
  const left = `${remainingQuota} of ${monthlyLimit} invocations left in ${month}`;
  return asks ? `answered in ${await askOneWord(client)} ms; ${left}` : left;
}

/** Milliseconds until a short answer is complete. @throws CliError with the reason of a failure */
async function askOneWord(client: Client): Promise<number> {
  const began = performance.now();
  const response = await client.open(invokeAssistant, {
    query: { invocation_identifier: randomUUID() },
    body: { userPrompt: 'Answer with the one word "ready".', tools: [], labels: { source: 'portolan doctor' } },
    signal: AbortSignal.timeout(askMsMax),
  });
  if (response.body) {
    for await (const event of readInvocationStream(response.body)) {
      if (event.event === 'error') throw new CliError(exitCodes.failed, event.data.error, event.data.message);
      if (event.event === 'done') return Math.round(performance.now() - began);
    }
  }
  throw new CliError(
    exitCodes.unreachable,
    'stream_broken',
    'The connection broke before the answer ended. Try again.',
  );
}

async function readModel(client: Client): Promise<Report['model']> {
  const { invocations } = await client.call(listInvocations, { query: { limit: 1 } });
  const [newest] = invocations;
  if (!newest) return null;
  const { provider, model, identifier } = newest;
  const { result } = await client.call(getInvocation, { params: { invocation_identifier: identifier } });
  return { provider, model, isLanguageModel: result.usage?.isLanguageModel ?? null };
}

function modelCheck(model: Report['model'], answers: boolean): Check {
  const name = 'model';
  if (!model) {
    const hint = answers ? 'nothing was asked yet; --ask finds out' : 'nothing was answered yet';
    return { name, status: 'unknown', message: hint };
  }
  const isPlanner = model.isLanguageModel === false ? ', not a language model (set PORTOLAN_LLM_PROVIDER)' : '';
  return { name, status: 'ok', message: `${model.provider}, ${model.model}${isPlanner} (newest invocation)` };
}
