import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { outside, writtenBy } from '../../platform/text-authors.ts';

/**
 * Before teams are entities nobody remembers who gave them their names, and models are shown those. So only they
 * give them who decide about rights here already (decision 0219). @throws AppError `missing_permissions`
 */
export function permitNaming(actor: Actor): void {
  if (actor.provisioner || actor.kind === 'system' || !writtenBy(actor).includes(outside)) return;
  const message = 'Only people, and programs in their name, name teams before these are entities';
  throw new AppError('missing_permissions', message);
}
