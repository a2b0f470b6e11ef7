import type { Actor } from '../../platform/actor.ts';

/** Clients that keep catalogs in step with other systems (api contract §1.8). */
const integrations = /^(port-ocean\/|port-k8s-exporter)/i;

/** Whether a write is by a program that follows a mapping, and not by a person. */
export function isIntegration({ datasource }: Pick<Actor, 'datasource'>): boolean {
  return integrations.test(datasource);
}
