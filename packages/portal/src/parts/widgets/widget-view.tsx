import { Skeleton, Title } from '@mantine/core';
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../entity-icon.tsx';
import { FigureFrame, useFigures } from './figures.tsx';
import { WidgetBody } from './widget-body.tsx';
import { WidgetMenu } from './widget-menu.tsx';
import { type Widget, type WidgetContext, type WidgetProps, widgetText } from './widget-shape.ts';
import classes from './widgets.module.css';

type Load = () => Promise<ComponentType<WidgetProps>>;

const table: Load = async () => (await import('./table-widget.tsx')).TableWidget;
const breakdown: Load = async () => (await import('./breakdown-widget.tsx')).BreakdownWidget;
const line: Load = async () => (await import('./line-widget.tsx')).LineWidget;
const entity: Load = async () => (await import('./entity-widget.tsx')).EntityWidget;
const system =
  (name: 'RunsWidget' | 'AuditWidget' | 'PeopleWidget' | 'PersonWidget'): Load =>
  async () =>
    (await import('./system-widgets.tsx'))[name];
const personal =
  (name: 'MyEntities' | 'RecentlyViewed' | 'RecentlyUsed'): Load =>
  async () =>
    (await import('./personal-widgets.tsx'))[name];

/** Every widget type by name; its code loads when first shown. */
const kinds: Readonly<Record<string, ComponentType<WidgetProps>>> = Object.fromEntries(
  Object.entries({
    'table-entities-explorer': table,
    'table-entities-explorer-by-direction': async () => (await import('./table-widget.tsx')).DirectionWidget,
    'entities-number-chart': async () => (await import('./number-widget.tsx')).NumberWidget,
    'entities-pie-chart': breakdown,
    'bar-chart': breakdown,
    'line-chart': line,
    'multi-line-chart': line,
    markdown: async () => (await import('./text-widgets.tsx')).MarkdownWidget,
    'links-widget': async () => (await import('./text-widgets.tsx')).LinksWidget,
    'iframe-widget': async () => (await import('./text-widgets.tsx')).IframeWidget,
    'action-card-widget': async () => (await import('./action-widget.tsx')).ActionWidget,
    'workflow-card-widget': async () => (await import('../workflows/workflow-widgets.tsx')).WorkflowCards,
    'workflow-runs-history-table': async () => (await import('../workflows/runs-history-widget.tsx')).RunsHistory,
    'action-runs-table-widget': system('RunsWidget'),
    'runs-table': system('RunsWidget'),
    'table-audit-log': system('AuditWidget'),
    'users-table': system('PeopleWidget'),
    'teams-table': system('PeopleWidget'),
    'run-info': async () => (await import('./run-widget.tsx')).RunWidget,
    'user-info': system('PersonWidget'),
    'team-info': system('PersonWidget'),
    'entity-info': entity,
    'entity-details': entity,
    'ai-agent': async () => (await import('./agent-widget.tsx')).AgentWidget,
    'my-entities': personal('MyEntities'),
    'recently-viewed-entities': personal('RecentlyViewed'),
    'recently-used-actions': personal('RecentlyUsed'),
    grouper: async () => (await import('./grouper-widget.tsx')).GrouperWidget,
  } satisfies Record<string, Load>).map(([type, load]) => [type, lazy(async () => ({ default: await load() }))]),
);
const bare = new Set(['grouper']);

/** One widget in its frame. An error stays within the widget. */
export function WidgetView({ widget, context }: { widget: Widget; context: WidgetContext }) {
  const type = widgetText(widget, 'type') ?? '';
  if (type === 'dashboard-widget') return <>{context.draw(widget, context)}</>;
  const Kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  const body = Kind ? (
    <Boundary>
      <Suspense fallback={<Skeleton className={classes.waiting ?? ''} />}>
        <Kind widget={widget} context={context} />
      </Suspense>
    </Boundary>
  ) : (
    <p className={classes.calm}>
      {t('The portal cannot show widgets of type {type}. This one is kept unchanged.', {
        type: type || t('without a name'),
      })}
    </p>
  );
  if (bare.has(type) && Kind) return body;
  return (
    <Framed widget={widget} type={type}>
      {body}
    </Framed>
  );
}

function Framed({ widget, type, children }: { widget: Widget; type: string; children: ReactNode }) {
  const figures = useFigures();
  const title = widgetText(widget, 'title') ?? titleOfKind(type);
  const description = widgetText(widget, 'description');
  return (
    <section className={classes.widget} data-kind={isStat(type) ? 'stat' : undefined} aria-label={title}>
      <div className={classes.head}>
        {widgetText(widget, 'icon') && <EntityIcon name={widgetText(widget, 'icon')} />}
        <Title order={2} size="h3" dir="auto" title={isStat(type) ? title : undefined}>
          {title}
        </Title>
        {figures.hasFigures && (
          <WidgetMenu title={title} isTable={figures.isTable} onTable={figures.setTable} read={figures.read} />
        )}
      </div>
      {description && <p className={classes.description}>{description}</p>}
      <WidgetBody label={title}>
        <FigureFrame value={figures.frame}>{children}</FigureFrame>
      </WidgetBody>
    </section>
  );
}

function isStat(type: string): boolean {
  return type === 'entities-number-chart';
}

function titleOfKind(type: string): string {
  const words = type.replaceAll('-', ' ').replace(/ widget$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1) || t('Widget');
}

class Boundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <ErrorState
        error={this.state.error}
        what={t('This widget could not be drawn')}
        onRetry={() => this.setState({ error: undefined })}
      />
    );
  }
}
