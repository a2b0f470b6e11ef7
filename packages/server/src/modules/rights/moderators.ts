import { type Actor, isAdmin } from '../../platform/actor.ts';

/** Whether the actor moderates all of these blueprints; administrators moderate every one. */
export function moderates(actor: Actor, blueprints: readonly string[]): boolean {
  const own = moderated(actor);
  return isAdmin(actor) || blueprints.every((blueprint) => own.has(blueprint.toLowerCase()));
}

/** The blueprints that the actor moderates, in lower case; undefined for all. */
export function moderatedBy(actor: Actor): string[] | undefined {
  return isAdmin(actor) ? undefined : [...moderated(actor)];
}

/** Moderator roles are matched in any case (users-and-teams §5.1). */
function moderated({ roles }: Actor): Set<string> {
  return new Set(roles.flatMap((role) => /^(.+)-moderator$/i.exec(role)?.[1]?.toLowerCase() ?? []));
}
