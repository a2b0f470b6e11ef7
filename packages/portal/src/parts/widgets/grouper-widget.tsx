import { Tabs, Title } from '@mantine/core';
import { useOpenUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../entity-icon.tsx';
import { type WidgetProps, widgetList, widgetText, widgetTexts } from './widget-shape.ts';
import classes from './widgets.module.css';

/** Widgets in tabs; the address holds the open tab. */
export function GrouperWidget({ widget, context }: WidgetProps) {
  const [open, setOpen] = useOpenUrlState<string>(
    widgetText(widget, 'activeGroupUrlParam') ?? `group-${widgetText(widget, 'id') ?? ''}`,
  );
  const order = widgetTexts(widget, 'groupsOrder');
  const place = (title: string) => (order.includes(title) ? order.indexOf(title) : order.length);
  const groups = widgetList(widget, 'groups')
    .map((group, index) => ({ title: widgetText(group, 'title') ?? t('Group {value}', { value: index + 1 }), group }))
    .sort((one, other) => place(one.title) - place(other.title))
    // titles may contain spaces, which element ids must not
    .map((each, index) => ({ ...each, tab: `group-${index}` }));
  const [first] = groups;
  if (!first) return <p className={classes.calm}>{t('This group is empty.')}</p>;
  const shown = groups.some(({ tab }) => tab === open) ? open : first.tab;
  return (
    <section className={classes.groups} aria-label={widgetText(widget, 'title') ?? t('Groups')}>
      {widgetText(widget, 'title') && (
        <Title order={2} size="h3" mb="sm">
          {widgetText(widget, 'title')}
        </Title>
      )}
      <Tabs
        className={classes.tabs ?? ''}
        value={shown ?? null}
        onChange={(tab) => setOpen(tab ?? undefined)}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {groups.map(({ title, group, tab }) => (
            <Tabs.Tab
              key={tab}
              value={tab}
              leftSection={widgetText(group, 'icon') ? <EntityIcon name={widgetText(group, 'icon')} /> : undefined}
            >
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {groups.map(({ group, tab }) => (
          <Tabs.Panel key={tab} value={tab}>
            <div className={classes.rows} data-single={widgetList(group, 'widgets').length === 1 || undefined}>
              {widgetList(group, 'widgets').map((each, index) => (
                <div key={widgetText(each, 'id') ?? index}>{context.draw(each, context)}</div>
              ))}
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}
