import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import { ComputedForm, type ComputedFormProps } from './computed-form.tsx';
import { PathPicker } from './path-picker.tsx';
import { pathSteps, toModel } from './relation-path.ts';

/** A mirror property: a path of relations, then a property of the last entity. */
export function MirrorForm({ initialKey, draft, blueprints, taken, onClose, onDone }: ComputedFormProps) {
  const initial = initialKey === undefined ? undefined : draft.mirrorProperties[initialKey];
  const segments = (initial?.path ?? '').split('.');
  const [path, setPath] = useState(segments.slice(0, -1).join('.'));
  const [shown, setShown] = useState(segments.at(-1) ?? '');
  const model = toModel(blueprints);
  const end = pathSteps(model, draft, path.split('.')).end;
  const target = end === draft.identifier && path === '' ? undefined : model.get(end);
  const choices = [
    { value: '$title', label: t('Title') },
    { value: '$identifier', label: t('Identifier') },
    { value: '$team', label: t('Owning teams') },
    ...Object.entries(target?.schema.properties ?? {}).map(([value, { title }]) => ({ value, label: title ?? value })),
  ];
  const isKnown = target !== undefined && (shown === '' || choices.some(({ value }) => value === shown));
  return (
    <ComputedForm
      initialKey={initialKey}
      initialTitle={initial?.title}
      taken={taken}
      what={t('mirror')}
      isReady={path !== '' && shown !== ''}
      onClose={onClose}
      onDone={(key, title) => {
        const { title: old, ...rest } = initial ?? {};
        onDone(key, { ...rest, ...title, path: `${path}.${shown}` });
      }}
    >
      <PathPicker draft={draft} blueprints={blueprints} path={path} label={t('Path')} onChange={setPath} />
      {isKnown ? (
        <Select
          label={t('What is shown of {title}', { title: target.title })}
          data={choices}
          searchable
          value={shown || null}
          onChange={(value) => setShown(value ?? '')}
        />
      ) : (
        <TextInput
          label={t('What is shown of it')}
          value={shown}
          onChange={({ currentTarget }) => setShown(currentTarget.value)}
        />
      )}
      <Text size="sm" c="dimmed">
        {t('Paths over relations to many can be written on the JSON tab.')}
      </Text>
    </ComputedForm>
  );
}
