import { Skeleton } from '@mantine/core';
import { readOutcome } from '@portolan/contract/entity-facts';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge, PersonBadge, TeamBadge } from '../../parts/badges.tsx';
import { type Field, type FieldEntity, fieldValue } from '../../parts/entities/fields.ts';
import { type Names, PropertyValue } from '../../parts/entities/property-value.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { titleKey, useTitles } from '../../parts/entities/titles.ts';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { type Fact, lowestLevel, type Pointing } from './facts.ts';
import classes from './header-facts.module.css';

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly blueprint: string;
  readonly entity: FieldEntity;
  readonly fields: readonly Field[];
  readonly names: Names;
}

/** Who owns it, whether it is well, who is on call: one row under the heading. */
export function HeaderFacts(props: FactsProps) {
  if (props.facts.length === 0) return null;
  return (
    <dl className={classes.facts} aria-label={t('At a glance')}>
      {props.facts.map((fact) => (
        <div key={fact.source} className={classes.fact}>
          <dt title={fact.label}>{fact.label}</dt>
          <dd>
            <FactValue {...props} fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FactValue({ fact: { from }, ...props }: FactsProps & { fact: Fact }): ReactNode {
  switch (from.kind) {
    case 'field':
      return <FieldFact {...props} field={from.field} />;
    case 'latest':
      return <LatestFact {...from} entity={props.entity} />;
    case 'open':
      return <OpenFact {...from} blueprint={props.blueprint} identifier={props.entity.identifier ?? ''} />;
    case 'scorecards':
      return <ScorecardFact {...props} />;
  }
}

function FieldFact({ field, entity, names, blueprint }: Omit<FactsProps, 'facts'> & { field: Field }) {
  const value = fieldValue(entity, field);
  if (field.key === '$team')
    return <Owner teams={entity.team ?? []} blueprint={blueprint} entity={entity} names={names} />;
  const people = field.target === '_user' || [field.shape.format, field.shape.items?.format].includes('user');
  if (people) return <People emails={[value].flat().filter((each) => typeof each === 'string')} />;
  return <PropertyValue field={field} value={value} names={names} />;
}

function Owner({
  teams,
  blueprint,
  entity,
  names,
}: {
  teams: readonly string[];
  blueprint: string;
  entity: FieldEntity;
  names: Names;
}) {
  const offers = useOffers(blueprint, entity.identifier);
  const [first, ...others] = teams;
  if (first === undefined) {
    return (
      <span className={classes.line}>
        <span className={classes.missing}>{t('No owner')}</span>
        {offers.property('$team') && (
          <ButtonLink
            to="/e/$blueprint/$entity/$tab"
            params={{ blueprint, entity: entity.identifier ?? '', tab: 'edit' }}
            size="compact-xs"
            variant="light"
          >
            {t('Assign owner')}
          </ButtonLink>
        )}
      </span>
    );
  }
  return (
    <span className={classes.line}>
      <TeamBadge identifier={first} name={names.teamName(first)} />
      {others.length > 0 && <span title={others.map(names.teamName).join(', ')}>+{others.length}</span>}
    </span>
  );
}

function People({ emails }: { emails: readonly string[] }) {
  const wanted = useMemo(() => [{ blueprint: '_user', identifiers: emails.slice(0, 1) }], [emails]);
  const titles = useTitles(wanted);
  const [first, ...others] = emails;
  if (first === undefined) return '–';
  return (
    <span className={classes.line}>
      <PersonBadge email={first} name={titles.get(titleKey('_user', first))} />
      {others.length > 0 && <span title={others.join(', ')}>+{others.length}</span>}
    </span>
  );
}

function pointsTo({ relation, isMany }: Pointing, identifier: string) {
  return { relation, operator: isMany ? 'containsAny' : 'in', value: [identifier] } as const;
}

/** The newest of the entities that point here, with how it went. */
function LatestFact({
  of,
  moment,
  state,
  version,
  entity,
}: {
  of: Pointing;
  moment: string;
  state: string | undefined;
  version: string | undefined;
  entity: FieldEntity;
}) {
  const read = useRead('searchBlueprintEntities', {
    params: { blueprint_identifier: of.blueprint },
    body: {
      query: { combinator: 'and', rules: [pointsTo(of, entity.identifier ?? '')] },
      sort: [{ property: moment, order: 'desc' }],
      include: ['$title', '$identifier', moment, ...(state ? [state] : []), ...(version ? [version] : [])],
      limit: 1,
    },
  });
  if (read.isPending) return <Skeleton height={12} width="70%" />;
  const [found] = (read.data?.entities ?? []) as readonly FieldEntity[];
  if (!found) return <span className={classes.missing}>{read.error ? t('Not readable') : t('None yet')}</span>;
  const at = (moment.startsWith('$') ? found[moment.slice(1)] : found.properties?.[moment]) as string | undefined;
  const outcome = state ? readOutcome(found.properties?.[state]) : undefined;
  const name = (version && found.properties?.[version]) || found.title || found.identifier;
  return (
    <span className={`${classes.line} ${classes.latest}`}>
      {outcome === 'success' && (
        <CircleCheck size={14} className={classes.good} role="img" aria-label={t('succeeded')} />
      )}
      {outcome === 'failure' && <CircleX size={14} className={classes.bad} role="img" aria-label={t('failed')} />}
      <EntityAnchor
        blueprint={of.blueprint}
        identifier={found.identifier ?? ''}
        title={shortName(String(name), entity)}
      />
      {at && <RelativeTime at={at} />}
    </span>
  );
}

/** Without the name of the entity whose screen it is on. */
function shortName(name: string, { title }: FieldEntity): string {
  return title && name.startsWith(`${title} `) ? name.slice(title.length + 1) : name;
}

/** How many of the entities that point here are not over yet. */
function OpenFact({
  of,
  state,
  closed,
  blueprint,
  identifier,
}: {
  of: Pointing;
  state: string | undefined;
  closed: readonly string[];
  blueprint: string;
  identifier: string;
}) {
  const read = useRead('aggregateEntities', {
    body: {
      func: 'count',
      query: {
        combinator: 'and',
        rules: [
          { property: '$blueprint', operator: '=', value: of.blueprint },
          { property: of.relation, operator: of.isMany ? 'containsAny' : 'in', value: [identifier] },
          ...(state && closed.length > 0 ? [{ property: state, operator: 'notIn' as const, value: [...closed] }] : []),
        ],
      },
    },
  });
  if (read.isPending) return <Skeleton height={12} width="50%" />;
  const result = read.data?.result;
  const count = result && 'value' in result ? result.value : undefined;
  if (count === undefined || count === null) return <span className={classes.missing}>{t('Not readable')}</span>;
  return (
    <Link
      to="/e/$blueprint/$entity/$tab"
      params={{ blueprint, entity: identifier, tab: 'related' }}
      search={{ over: `from-${of.blueprint}-${of.relation}` }}
      className={count > 0 ? classes.alarm : classes.calm}
    >
      {state && closed.length > 0
        ? t('{count} open', { count: count.toLocaleString(locale) })
        : t('{count} in all', { count: count.toLocaleString(locale) })}
    </Link>
  );
}

function ScorecardFact({ entity, fields, blueprint }: Pick<FactsProps, 'entity' | 'fields' | 'blueprint'>) {
  const lowest = lowestLevel(entity, fields);
  if (!lowest) return '–';
  const { scorecard, level, next, left } = lowest;
  return (
    <Link
      to="/e/$blueprint/$entity/$tab"
      params={{ blueprint, entity: entity.identifier ?? '', tab: 'scorecards' }}
      className={classes.line}
      title={scorecard.title}
    >
      <ColourBadge colour={scorecard.levels?.[level]}>{level}</ColourBadge>
      {next && left > 0 && <span className={classes.small}>{t('{left} to {next}', { left, next })}</span>}
    </Link>
  );
}
