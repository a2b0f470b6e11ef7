import type { Actor, ClientKind } from './actor.ts';

/** Clients that keep catalogs in step with other systems, by their user agents (api contract §1.8). */
const integrations = /^(port-ocean\/|port-k8s-exporter)/i;

/** The one place that decides the kind. */
export function toClientKind({ writesAs, webhook, datasource }: ClientMarks): ClientKind {
  if (writesAs) return writesAs;
  if (webhook) return 'webhook';
  return integrations.test(datasource) ? 'integration' : 'direct';
}

type ClientMarks = Pick<Actor, 'writesAs' | 'webhook' | 'datasource'>;

/** Whether the values come from a mapping, so that nobody typed them. */
export function followsMapping(actor: ClientMarks): boolean {
  return toClientKind(actor) !== 'direct';
}
