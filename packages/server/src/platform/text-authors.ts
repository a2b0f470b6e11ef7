import type { Actor } from './actor.ts';
import { toClientKind } from './client-kind.ts';

/**
 * Who may have written a text: `platform` (code and shipped documentation), `person:<id>`, `credential:<id>`, `outside`
 * (whoever has no identity here), `source:<kind>/<key>/<identifier>` (what an administrator trusts among those) or `*`
 * (more than can be named). A set of them is a label.
 */
export type TextAuthor = string;

export const outside: TextAuthor = 'outside';
export const platformAuthor: TextAuthor = 'platform';
/** Stands for the authors beyond the first eight. */
export const anybody: TextAuthor = '*';

/** More authors are not named, so that a row stays small; the function `merge_text_authors` has the same bound. */
const authorsMax = 8;

/** The union of labels, sorted. */
export function mergeAuthors(...labels: readonly (readonly TextAuthor[])[]): readonly TextAuthor[] {
  const all = [...new Set(labels.flat())].sort();
  if (all.length <= authorsMax) return all;
  // what no one can vouch for must not be crowded out
  const named = all.filter((author) => author !== anybody);
  const first = named.includes(outside) ? [outside, ...named.filter((author) => author !== outside)] : named;
  return [...first.slice(0, authorsMax), anybody].sort();
}

/** The author that a requester's own words have. */
export function nameAuthor({ kind, id }: Pick<Actor, 'kind' | 'id'>): TextAuthor {
  if (kind === 'system') return platformAuthor;
  return kind === 'person' ? `person:${id}` : `credential:${id}`;
}

/** The requester that an author's name stands for; undefined where it stands for none. */
export function parseAuthor(author: TextAuthor): Pick<Actor, 'kind' | 'id'> | undefined {
  const [, kind, id] = /^(person|credential):(.+)$/s.exec(author) ?? [];
  return id === undefined ? undefined : { kind: kind === 'person' ? 'person' : 'machine', id };
}

/** An integration, webhook or source as an author; its key tells it from others that had its name. */
export interface SourceAuthor {
  readonly kind: 'integration' | 'webhook' | 'source';
  readonly key: number;
  readonly identifier: string;
}

export function nameSource({ kind, key, identifier }: SourceAuthor): TextAuthor {
  return `source:${kind}/${key}/${identifier}`;
}

export function parseSource(author: TextAuthor): SourceAuthor | undefined {
  const [, kind, key, identifier] = /^source:(integration|webhook|source)\/(\d+)\/(.+)$/s.exec(author) ?? [];
  if (identifier === undefined) return undefined;
  return { kind: kind as SourceAuthor['kind'], key: Number(key), identifier };
}

/**
 * The authors of what an actor writes; the one place that decides. What integrations and webhooks bring was written
 * somewhere else, unless an administrator trusts them; what an assistant led to has the authors of everything that it read, and what the platform writes for
 * itself has those that its caller names.
 */
export function writtenBy(actor: Actor): readonly TextAuthor[] {
  if (actor.kind === 'system') return actor.carriedAuthors ?? [outside];
  const isCarrier = toClientKind(actor) !== 'direct' || actor.boundTo !== undefined || actor.provisioner !== undefined;
  const own = isCarrier ? (actor.trustedAs ?? outside) : nameAuthor(actor);
  return mergeAuthors([own], actor.carriedAuthors ?? []);
}

/** The actor, whose writes come from these authors too. */
export function carrying(actor: Actor, authors: readonly TextAuthor[]): Actor {
  return { ...actor, carriedAuthors: mergeAuthors(actor.carriedAuthors ?? [], authors) };
}
