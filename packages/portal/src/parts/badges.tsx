import { Avatar } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Ban, CircleCheck, CircleDashed, CircleX, Clock, FilePen, type LucideIcon, Users } from 'lucide-react';
import { useRead } from '../api/query.ts';
import { t } from '../kit/translate.ts';
import { colourValues } from '../theme/colours.ts';
import { useTeams } from './entities/team-form.ts';
import { entityAddress } from './entity-anchor.tsx';
import classes from './parts.module.css';

/** A word in a colour of the model. The colour carries no meaning of its own. */
export function ColourBadge({
  children,
  colour,
  icon: Icon,
}: {
  children: string;
  colour?: string | undefined;
  icon?: LucideIcon;
}) {
  const { background, text } = colourValues(colour);
  return (
    <span className={classes.badge} style={{ background, color: text }} dir="auto">
      {Icon && <Icon size={12} aria-hidden="true" />}
      {children}
    </span>
  );
}

/**
 * A team's full name as a link to it. While teams are shown by title (before the migration of users and teams), the
 * value does not identify the team, so there is no link.
 */
export function TeamBadge({ identifier, name }: { identifier: string; name?: string | undefined }) {
  const organization = useRead('getOwnOrganization');
  const { nameOf } = useTeams();
  const isEntity = organization.data?.organization.featureFlags.includes('USERS_AND_TEAMS_OWNERSHIP_V2') ?? false;
  const content = (
    <>
      <Users size={12} aria-hidden="true" />
      <span dir="auto">{name || nameOf(identifier)}</span>
    </>
  );
  if (!isEntity) return <span className={classes.team}>{content}</span>;
  return (
    <Link {...entityAddress('_team', identifier)} className={classes.team} title={identifier}>
      {content}
    </Link>
  );
}

/** A user by name, as a link to them. */
export function PersonBadge({ email, name }: { email: string; name?: string | undefined }) {
  return (
    <Link {...entityAddress('_user', email)} className={classes.person} title={email}>
      <Avatar size={20} radius="xl" color="indigo" name={name || email} aria-hidden="true" />
      <span dir="auto">{name || email}</span>
    </Link>
  );
}

const states: Readonly<Record<string, { word: string; colour: string; icon: LucideIcon }>> = {
  DRAFT: { word: t('Draft'), colour: 'purple', icon: FilePen },
  WAITING_FOR_APPROVAL: { word: t('Waits for approval'), colour: 'gold', icon: Clock },
  IN_PROGRESS: { word: t('In progress'), colour: 'blue', icon: CircleDashed },
  SUCCESS: { word: t('Success'), colour: 'green', icon: CircleCheck },
  COMPLETED: { word: t('Completed'), colour: 'green', icon: CircleCheck },
  FAILURE: { word: t('Failure'), colour: 'red', icon: CircleX },
  FAILED: { word: t('Failed'), colour: 'red', icon: CircleX },
  DECLINED: { word: t('Declined'), colour: 'darkGray', icon: Ban },
  CANCELLED: { word: t('Cancelled'), colour: 'darkGray', icon: Ban },
  PENDING: { word: t('Pending'), colour: 'lightGray', icon: Clock },
  RUNNING: { word: t('Running'), colour: 'blue', icon: CircleDashed },
};

/** The status of a run, job or invocation: colour, icon and word. A label replaces only the word. */
export function StatusBadge({ status, label }: { status: string; label?: string | null | undefined }) {
  const key = status.toUpperCase().replaceAll(/[ -]/g, '_');
  const { word, colour, icon } = states[key] ?? { word: status, colour: 'darkGray', icon: CircleDashed };
  return (
    <ColourBadge colour={colour} icon={icon}>
      {label || word}
    </ColourBadge>
  );
}
