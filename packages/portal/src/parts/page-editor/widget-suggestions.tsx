import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { BlueprintSelect } from '../blueprint-select.tsx';
import type { Field } from '../entities/fields.ts';
import { useFields } from '../entities/use-fields.ts';
import type { Widget } from '../widgets/widget-shape.ts';
import { newWidgetId } from './page-draft.ts';
import classes from './page-editor.module.css';
import { suggestWidgets } from './suggested-widgets.ts';

/** Ready-made widgets about a blueprint; several are added at once. */
export function WidgetSuggestions({
  about,
  onAdd,
}: {
  about: string | undefined;
  onAdd: (widgets: readonly Widget[]) => void;
}) {
  const [blueprint, setBlueprint] = useState(about ?? '');
  return (
    <fieldset className={classes.list}>
      <legend>{t('Ready-made widgets')}</legend>
      <Stack gap="sm">
        <BlueprintSelect label={t('About')} value={blueprint} onChange={setBlueprint} />
        {blueprint !== '' && <Choices key={blueprint} blueprint={blueprint} onAdd={onAdd} />}
      </Stack>
    </fieldset>
  );
}

function Choices({ blueprint, onAdd }: { blueprint: string; onAdd: (widgets: readonly Widget[]) => void }) {
  const { read, fields } = useFields(blueprint);
  return (
    <Reading of={read}>
      {({ blueprint: { title } }) => <Chosen blueprint={blueprint} title={title} fields={fields ?? []} onAdd={onAdd} />}
    </Reading>
  );
}

function Chosen({
  blueprint,
  title,
  fields,
  onAdd,
}: {
  blueprint: string;
  title: string;
  fields: readonly Field[];
  onAdd: (widgets: readonly Widget[]) => void;
}) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const suggestions = suggestWidgets(blueprint, title, fields);
  const add = () =>
    onAdd(
      suggestions.filter((each) => chosen.includes(each.title)).map(({ widget }) => ({ id: newWidgetId(), ...widget })),
    );
  return (
    <>
      <Checkbox.Group value={[...chosen]} onChange={setChosen}>
        <div className={classes.suggestions}>
          {suggestions.map((each) => (
            <Checkbox key={each.title} value={each.title} label={each.title} />
          ))}
        </div>
      </Checkbox.Group>
      <Group gap="sm">
        <Button disabled={chosen.length === 0} onClick={add}>
          {chosen.length > 1 ? t('Add {count} widgets', { count: chosen.length }) : t('Add 1 widget')}
        </Button>
        {chosen.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('Choose one or more.')}
          </Text>
        )}
      </Group>
    </>
  );
}
