import { memoryBounds } from '@portolan/contract/proposed-note';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { findUsedNotes } from './memory.store.ts';

/**
 * The notes that the assistant is shown with a question, newest first and up to a bound; undefined where none are kept.
 * Agents, and questions that a run asks, are shown none.
 */
export async function readUsedNotes(
  reader: Reader,
  { orgId, kind, id }: Actor,
  { agent, labels }: { readonly agent: string | null; readonly labels: Readonly<Record<string, unknown>> },
): Promise<readonly string[] | undefined> {
  if (kind !== 'person' || agent !== null || labels['_run_id'] !== undefined) return undefined;
  const contents = await findUsedNotes(reader, orgId, id);
  if (contents === undefined) return undefined;
  let left: number = memoryBounds.promptCharactersMax;
  const used: string[] = [];
  for (const content of contents) {
    left -= content.length;
    if (left < 0) break;
    used.push(content);
  }
  return used;
}
