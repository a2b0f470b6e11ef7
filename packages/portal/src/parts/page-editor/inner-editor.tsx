import { Button, Tabs, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { type Widget, widgetList, widgetText } from '../widgets/widget-shape.ts';
import { type Change, useArrange } from './arrange.tsx';
import { BoardEditor } from './board-editor.tsx';
import { copyWidget } from './page-draft.ts';
import classes from './page-editor.module.css';
import { Slot } from './slot.tsx';
import { holdsWidgets, nameOfWidget } from './widget-kinds.ts';

/** The content of a widget: a board, or the tabs of a group. */
export function InnerEditor({ widget, onChange }: { widget: Widget; onChange: Change }) {
  return widgetText(widget, 'type') === 'grouper' ? (
    <GroupEditor grouper={widget} onChange={onChange} />
  ) : (
    <BoardEditor board={widget} isInner onChange={onChange} />
  );
}

function GroupEditor({ grouper, onChange }: { grouper: Widget; onChange: Change }) {
  const { add } = useArrange();
  const id = widgetText(grouper, 'id') ?? '';
  const groups = widgetList(grouper, 'groups').map((group, index) => ({ group, tab: `tab-${index}` }));
  if (groups.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t('There is no tab yet. Edit it to add one.')}
      </Text>
    );
  return (
    <Tabs defaultValue="tab-0" keepMounted={false}>
      <Tabs.List mb="sm">
        {groups.map(({ group, tab }, index) => (
          <Tabs.Tab key={tab} value={tab}>
            {widgetText(group, 'title') ?? t('Group {value}', { value: index + 1 })}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {groups.map(({ group, tab }, index) => (
        <Tabs.Panel key={tab} value={tab}>
          <ListEditor
            widgets={widgetList(group, 'widgets')}
            onChange={(widgets, label) =>
              onChange({ ...grouper, groups: widgetList(grouper, 'groups').with(index, { ...group, widgets }) }, label)
            }
          />
          <Button
            mt="md"
            size="compact-sm"
            variant="default"
            leftSection={<Plus size={14} />}
            onClick={() => add({ grouper: id, tab: index })}
          >
            {t('Add to this tab')}
          </Button>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** A list of widgets, one under another; boards arrange theirs in rows. */
export function ListEditor({
  widgets,
  onChange,
}: {
  widgets: readonly Widget[];
  onChange: (widgets: readonly Widget[], label: string) => void;
}) {
  return (
    <div className={classes.board}>
      {widgets.map((widget, index) => {
        const replace = (next: Widget, label: string) => onChange(widgets.with(index, next), label);
        const name = nameOfWidget(widget);
        if (widgetText(widget, 'type') === 'dashboard-widget')
          return <BoardEditor key={widgetText(widget, 'id')} board={widget} onChange={replace} />;
        const moveBy = (by: number) =>
          onChange(widgets.toSpliced(index, 1).toSpliced(index + by, 0, widget), t('Move {name}', { name }));
        return (
          <Slot
            key={widgetText(widget, 'id')}
            widget={widget}
            ways={[...(index > 0 ? (['up'] as const) : []), ...(index < widgets.length - 1 ? (['down'] as const) : [])]}
            onStep={(direction) => moveBy(direction === 'up' ? -1 : 1)}
            onDuplicate={() =>
              onChange(widgets.toSpliced(index + 1, 0, copyWidget(widget)), t('Duplicate {name}', { name }))
            }
            onRemove={() => onChange(widgets.toSpliced(index, 1), t('Remove {name}', { name }))}
          >
            {holdsWidgets(widget) && <InnerEditor widget={widget} onChange={replace} />}
          </Slot>
        );
      })}
    </div>
  );
}
