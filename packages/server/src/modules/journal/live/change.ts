import type { LiveChange } from '@portolan/contract/live';
import type { DomainRecord } from '../../../platform/unit-of-work.ts';

/** What readers are told of a record, before it is known who may be told. */
export function changeOf({ event, resourceType, identifier, context }: DomainRecord): LiveChange {
  const { blueprint, entity } = context;
  return {
    event,
    resource: resourceType,
    identifier,
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(entity === undefined ? {} : { entity }),
  };
}

/** What is known of many things of one kind together. */
function kindOf({ event, resource, blueprint }: LiveChange): LiveChange {
  return { event, resource, ...(blueprint === undefined ? {} : { blueprint }) };
}

/** More than this many are told by their kinds, and more kinds than this as "read anew". */
const namedMax = 200;

/**
 * Changes that wait to be told: each once, and never more than a bounded number of them, however much is written. `gap`
 * is the reason why readers have to read anew; what else there was does not matter then.
 */
export class ChangeSet {
  #changes = new Map<string, LiveChange>();
  #gap: 'too-many' | 'gap' | undefined;

  get isEmpty(): boolean {
    return this.#gap === undefined && this.#changes.size === 0;
  }

  add(changes: readonly LiveChange[]): void {
    if (this.#gap !== undefined) return;
    for (const change of changes) this.#changes.set(JSON.stringify(change), change);
    if (this.#changes.size <= namedMax) return;
    const kinds = [...this.#changes.values()].map(kindOf);
    this.#changes = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
    if (this.#changes.size > namedMax) this.lose('too-many');
  }

  lose(reason: 'too-many' | 'gap'): void {
    this.#gap = reason;
    this.#changes.clear();
  }

  /** Everything there is; it is empty then. */
  take(): { readonly changes: readonly LiveChange[]; readonly gap: 'too-many' | 'gap' | undefined } {
    const taken = { changes: [...this.#changes.values()], gap: this.#gap };
    this.#changes = new Map();
    this.#gap = undefined;
    return taken;
  }
}
