import { useRead } from '../../api/query.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { AuditSentenceText, useAuditNames } from '../audit/audit-sentence.tsx';
import { PersonBadge, TeamBadge } from '../badges.tsx';
import { useTeams } from '../entities/team-form.ts';
import { RunsList } from './runs-list.tsx';
import { type WidgetProps, widgetMap, widgetText } from './widget-shape.ts';
import classes from './widgets.module.css';

const runFilters = ['entity', 'blueprint', 'active', 'user_email', 'user_id', 'action', 'status', 'source', 'limit'];

/** The runs that a widget selects; query keys unknown to the list are dropped. */
export function RunsWidget({ widget, context }: WidgetProps) {
  const query = widgetMap(widget, 'query');
  const known = Object.fromEntries(
    Object.entries(query).filter(
      ([key, value]) => runFilters.includes(key) && ['string', 'number', 'boolean'].includes(typeof value),
    ),
  );
  const action = widgetText(widget, 'action');
  return (
    <RunsList
      label={widgetText(widget, 'title') ?? t('Runs')}
      emptyText={t('Runs appear here as soon as somebody starts one.')}
      query={{
        ...known,
        ...(action ? { action } : {}),
        ...(context.entity ? { entity: context.entity.identifier, blueprint: context.entity.blueprint } : {}),
      }}
    />
  );
}

const auditFilters = [
  'identifier',
  'entity',
  'blueprint',
  'run_id',
  'action',
  'status',
  'from',
  'to',
  'origin',
  'resources',
  'limit',
];

export function AuditWidget({ widget, context }: WidgetProps) {
  const query = Object.fromEntries(
    Object.entries(widgetMap(widget, 'query')).filter(([key]) => auditFilters.includes(key)),
  );
  const names = useAuditNames();
  const read = useRead('getAuditLog', {
    query: {
      limit: 50,
      ...query,
      ...(context.entity ? { entity: context.entity.identifier, blueprint: context.entity.blueprint } : {}),
    },
  });
  return (
    <Reading of={read}>
      {({ audits }) =>
        audits.length === 0 ? (
          <EmptyState title={t('Nothing is recorded')} />
        ) : (
          <ul className={classes.list}>
            {audits.map((record) => (
              <li key={record.identifier}>
                <AuditSentenceText record={record} names={names} />
                <RelativeTime at={record.trigger?.at} />
              </li>
            ))}
          </ul>
        )
      }
    </Reading>
  );
}

export function PeopleWidget({ widget }: WidgetProps) {
  return widgetText(widget, 'type') === 'teams-table' ? <Teams /> : <Users />;
}

function Users() {
  const read = useRead('listUsers');
  return (
    <Reading of={read}>
      {({ users }) => (
        <ul className={classes.list}>
          {users.map(({ email = '', firstName, lastName, status }) => (
            <li key={email}>
              <PersonBadge email={email} name={[firstName, lastName].filter(Boolean).join(' ')} />
              <span className={classes.calm}>{status}</span>
            </li>
          ))}
        </ul>
      )}
    </Reading>
  );
}

function Teams() {
  const read = useRead('listTeams');
  return (
    <Reading of={read}>
      {({ teams }) => (
        <ul className={classes.list}>
          {teams.map(({ identifier = '', name, users }) => (
            <li key={identifier}>
              <TeamBadge identifier={identifier} name={name} />
              <span className={classes.calm}>{t('{count} people', { count: users?.length ?? 0 })}</span>
            </li>
          ))}
        </ul>
      )}
    </Reading>
  );
}

export function PersonWidget({ widget }: WidgetProps) {
  const { nameOf } = useTeams();
  const email = widgetText(widget, 'user_email');
  const team = widgetText(widget, 'team_name');
  if (email) return <PersonBadge email={email} />;
  if (team) return <TeamBadge identifier={team} name={nameOf(team)} />;
  return <p className={classes.calm}>{t('This widget names nobody, so it stays empty.')}</p>;
}
