import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { PersonBadge, StatusBadge } from '../badges.tsx';
import { EntityAnchor } from '../entity-anchor.tsx';
import { type Run, runAddress, thingIdentifier, thingTitle } from '../run-things.ts';
import { type WidgetProps, widgetText } from './widget-shape.ts';
import classes from './widgets.module.css';

/** The status of one run. */
export function RunWidget({ widget }: WidgetProps) {
  const id = widgetText(widget, 'runId');
  if (!id) return <p className={classes.calm}>{t('This widget names no run, so it stays empty.')}</p>;
  return <OneRun id={id} />;
}

function OneRun({ id }: { id: string }) {
  const read = useRead('getRun', { params: { run_id: id }, query: { version: 'v2' } });
  return (
    <Reading of={read} skeleton={<TextSkeleton lines={4} />}>
      {({ run }) => <Facts run={run} />}
    </Reading>
  );
}

function Facts({ run }: { run: Run }) {
  const [entity, blueprint] = [thingIdentifier(run.entity), thingIdentifier(run.blueprint)];
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [
      t('Action'),
      <AnchorLink key="action" {...runAddress(run.id)} dir="auto">
        {thingTitle(run.action) ?? run.id}
      </AnchorLink>,
    ],
    [t('Status'), <StatusBadge key="status" status={run.status} label={run.statusLabel} />],
    ...(run.summary
      ? [
          [
            t('Summary'),
            <span key="summary" dir="auto">
              {run.summary}
            </span>,
          ] as const,
        ]
      : []),
    ...(entity && blueprint
      ? [
          [
            t('Entity'),
            <EntityAnchor key="entity" blueprint={blueprint} identifier={entity} title={thingTitle(run.entity)} />,
          ] as const,
        ]
      : []),
    [t('By'), run.createdBy?.includes('@') ? <PersonBadge key="by" email={run.createdBy} /> : run.createdBy],
    [t('Started'), <RelativeTime key="started" at={run.createdAt} />],
    ...(run.endedAt ? [[t('Ended'), <RelativeTime key="ended" at={run.endedAt} />] as const] : []),
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
