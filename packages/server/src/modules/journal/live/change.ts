import type { LiveChange } from '@portolan/contract/live';
import type { DomainRecord } from '../../../platform/unit-of-work.ts';

/** The notice of a record, before rights are applied. */
export function toLiveChange({ event, resourceType, identifier, context }: DomainRecord): LiveChange {
  const { blueprint, entity } = context;
  return {
    event,
    resource: resourceType,
    identifier,
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(entity === undefined ? {} : { entity }),
  };
}

function toChangeKind({ event, resource, blueprint }: LiveChange): LiveChange {
  return { event, resource, ...(blueprint === undefined ? {} : { blueprint }) };
}

/** Above this number, changes are merged by kind; above it in kinds, they become a gap. */
const namedMax = 200;

/**
 * Pending changes, each once, in bounded memory. `gap` is the reason to reload, if any; everything else is then
 * irrelevant.
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
    const kinds = [...this.#changes.values()].map(toChangeKind);
    this.#changes = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
    if (this.#changes.size > namedMax) this.lose('too-many');
  }

  lose(reason: 'too-many' | 'gap'): void {
    this.#gap = reason;
    this.#changes.clear();
  }

  take(): { readonly changes: readonly LiveChange[]; readonly gap: 'too-many' | 'gap' | undefined } {
    const taken = { changes: [...this.#changes.values()], gap: this.#gap };
    this.#changes = new Map();
    this.#gap = undefined;
    return taken;
  }
}
