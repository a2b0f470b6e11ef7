import { Ban, CircleCheck, CircleDashed, CircleX, Clock, FilePen, type LucideIcon, Users } from 'lucide-react';
import { Initials } from '../kit/initials.tsx';
import { LightLink } from '../kit/light-link.tsx';
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

/** A team's full name, as a link to it where teams have pages. */
export function TeamBadge({ identifier, name }: { identifier: string; name?: string | undefined }) {
  const { nameOf, havePages } = useTeams();
  return <TeamName identifier={identifier} name={name || nameOf(identifier)} hasPage={havePages} />;
}

/** The same for lists of hundreds, which ask once how teams are called. */
export function TeamName({ identifier, name, hasPage }: { identifier: string; name: string; hasPage: boolean }) {
  const content = (
    <>
      <Users size={12} aria-hidden="true" />
      <span dir="auto">{name}</span>
    </>
  );
  if (!hasPage) return <span className={classes.team}>{content}</span>;
  return (
    <LightLink target={entityAddress('_team', identifier)} className={classes.team} title={identifier}>
      {content}
    </LightLink>
  );
}

/** A user by name, as a link to them. */
export function PersonBadge({ email, name }: { email: string; name?: string | undefined }) {
  return (
    <LightLink target={entityAddress('_user', email)} className={classes.person} title={email}>
      <Initials size={20} name={name || email} />
      <span dir="auto">{name || email}</span>
    </LightLink>
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
