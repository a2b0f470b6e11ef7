import { isRecord } from '@portolan/contract/json-value';
import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../platform/actor.ts';
import { AppError } from '../platform/errors.ts';
import { type Params, RpcError, rpcCodes } from './mcp-json-rpc.ts';

export interface PromptSource {
  list(actor: Actor): Promise<readonly { readonly name: string }[]>;
  /** @throws AppError `not_found`, `invalid_request` */
  get(
    actor: Actor,
    name: string,
    values: Readonly<Record<string, string>>,
  ): Promise<{ readonly description: string; readonly text: string }>;
}

const valueMax = 20_000;

/** The members of `prompts/list` on one page: an organization has at most a few hundred prompts. */
export async function listPrompts(prompts: PromptSource, actor: Actor): Promise<string> {
  const all = scopesCover(actor.scopes, 'read:entities') ? await prompts.list(actor) : [];
  return `"prompts":${JSON.stringify(all)}`;
}

/** The members of `prompts/get`. @throws RpcError `invalidParams` for an unknown prompt or a missing argument */
export async function getPrompt(prompts: PromptSource, { name, arguments: given }: Params, actor: Actor) {
  if (typeof name !== 'string') throw invalidParams('name must be a string');
  if (!scopesCover(actor.scopes, 'read:entities')) throw invalidParams(`Unknown prompt: ${name.slice(0, 100)}`);
  try {
    const { description, text } = await prompts.get(actor, name, parseValues(given));
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    return JSON.stringify({ description, messages }).slice(1, -1);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found') throw invalidParams(`Unknown prompt: ${name.slice(0, 100)}`);
    if (error.code === 'invalid_request') throw invalidParams(error.message);
    throw error;
  }
}

function parseValues(given: unknown): Record<string, string> {
  if (given === undefined || given === null) return {};
  if (!isRecord(given)) throw invalidParams('arguments must be an object');
  const values = Object.entries(given).map(([key, value]) => {
    if (typeof value !== 'string') throw invalidParams(`arguments.${key.slice(0, 100)} must be a string`);
    if (value.length > valueMax) throw invalidParams(`arguments.${key.slice(0, 100)} is longer than ${valueMax}`);
    return [key, value] as const;
  });
  return Object.fromEntries(values);
}

function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
