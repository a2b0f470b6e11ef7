import type { Actor } from './actor.ts';

/**
 * Who writes entities: a program that follows a mapping of its own, a webhook whose events are mapped here, or somebody who
 * means every value as it is written.
 */
export type ClientKind = 'integration' | 'webhook' | 'direct';

/** Clients that keep catalogs in step with other systems, by their user agents (api contract §1.8). */
const integrations = /^(port-ocean\/|port-k8s-exporter)/i;

/** The one place that tells. */
export function clientKindOf({ writesAs, webhook, datasource }: ClientMarks): ClientKind {
  if (writesAs) return writesAs;
  if (webhook) return 'webhook';
  return integrations.test(datasource) ? 'integration' : 'direct';
}

type ClientMarks = Pick<Actor, 'writesAs' | 'webhook' | 'datasource'>;

/** What mappings made of data was typed by nobody. */
export function followsMapping(actor: ClientMarks): boolean {
  return clientKindOf(actor) !== 'direct';
}
