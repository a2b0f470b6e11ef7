import { Tabs, Title } from '@mantine/core';
import { useOpenUrlState } from '../../frame/url-state.ts';
import { EntityIcon } from '../entity-icon.tsx';
import { listOf, textOf, textsOf, type WidgetProps } from './widget-shape.ts';
import classes from './widgets.module.css';

/** Widgets in tabs; which one is open is in the address. */
export function GrouperWidget({ widget, context }: WidgetProps) {
  const [open, setOpen] = useOpenUrlState<string>(
    textOf(widget, 'activeGroupUrlParam') ?? `group-${textOf(widget, 'id') ?? ''}`,
  );
  const order = textsOf(widget, 'groupsOrder');
  const place = (title: string) => (order.includes(title) ? order.indexOf(title) : order.length);
  const groups = listOf(widget, 'groups')
    .map((group, index) => ({ title: textOf(group, 'title') ?? `Group ${index + 1}`, group }))
    .sort((one, other) => place(one.title) - place(other.title))
    // titles are no identifiers of elements: blanks would part them
    .map((each, index) => ({ ...each, tab: `group-${index}` }));
  const [first] = groups;
  if (!first) return <p className={classes.calm}>This group is empty.</p>;
  const shown = groups.some(({ tab }) => tab === open) ? open : first.tab;
  return (
    <section aria-label={textOf(widget, 'title') ?? 'Groups'}>
      {textOf(widget, 'title') && (
        <Title order={2} size="h3" mb="sm">
          {textOf(widget, 'title')}
        </Title>
      )}
      <Tabs value={shown ?? null} onChange={(tab) => setOpen(tab ?? undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          {groups.map(({ title, group, tab }) => (
            <Tabs.Tab
              key={tab}
              value={tab}
              leftSection={textOf(group, 'icon') ? <EntityIcon name={textOf(group, 'icon')} /> : undefined}
            >
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {groups.map(({ group, tab }) => (
          <Tabs.Panel key={tab} value={tab}>
            <div className={classes.rows}>
              {listOf(group, 'widgets').map((each, index) => (
                <div key={textOf(each, 'id') ?? index}>{context.draw(each, context)}</div>
              ))}
            </div>
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}
