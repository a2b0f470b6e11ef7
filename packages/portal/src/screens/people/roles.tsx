import { ColourBadge } from '../../parts/badges.tsx';
import { type KnownUser, roleKind, roleNames } from './people-filter.ts';

/** The role of a user as a badge; which blueprints a moderator manages is told on hover. */
export function Roles({ user }: { user: KnownUser | undefined }) {
  if (!user) return null;
  const names = roleNames(user);
  const kind = roleKind(names);
  return (
    <span title={kind === 'Moderator' ? names.join(', ') : undefined}>
      <ColourBadge colour={colours[kind]}>{kind}</ColourBadge>
    </span>
  );
}

const colours = { Admin: 'purple', Member: 'turquoise', Moderator: 'blue' } as const;
