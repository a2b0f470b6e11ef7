import { Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import type { Widget } from '../widgets/widget-shape.ts';
import type { WidgetKind } from './form-fields.ts';
import { groupOfKind, kindGroups } from './kind-groups.ts';
import classes from './page-editor.module.css';
import { widgetKinds } from './widget-kinds.ts';
import { WidgetSuggestions } from './widget-suggestions.tsx';

/** The types of widgets in groups, and ready-made widgets about a blueprint. */
export function WidgetGallery({
  isHome,
  about,
  onAdd,
  onChoose,
}: {
  isHome: boolean;
  /** The blueprint that new widgets are likely about. */
  about: string | undefined;
  onAdd: (widgets: readonly Widget[]) => void;
  onChoose: (kind: WidgetKind) => void;
}) {
  const [text, setText] = useState('');
  const fits = ({ title, text: purpose }: WidgetKind) =>
    `${title} ${purpose}`.toLowerCase().includes(text.trim().toLowerCase());
  const kinds = widgetKinds.filter((kind) => (isHome || !kind.isForHome) && fits(kind));
  return (
    <Stack>
      <TextInput
        label={t('Find a widget type')}
        value={text}
        data-begin
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          const [first, ...others] = kinds;
          if (event.key !== 'Enter' || !first || others.length > 0) return;
          // the form takes the focus at once, and the same key would send it
          event.preventDefault();
          onChoose(first);
        }}
      />
      {text === '' && <WidgetSuggestions about={about} onAdd={onAdd} />}
      {kinds.length === 0 && <Text c="dimmed">{t('No widget matches “{text}”.', { text })}</Text>}
      {Object.entries(kindGroups).map(([group, title]) => {
        const inGroup = kinds.filter((kind) => groupOfKind(kind) === group);
        if (inGroup.length === 0) return null;
        return (
          <section key={group} aria-label={title}>
            <Title order={3} size="h5" mb="xs">
              {title}
            </Title>
            <ul className={classes.gallery}>
              {inGroup.map((kind) => (
                <li key={kind.type}>
                  <button type="button" className={classes.kind} onClick={() => onChoose(kind)}>
                    <strong>
                      <kind.icon size={18} aria-hidden="true" />
                      {kind.title}
                    </strong>
                    <span>{kind.text}</span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </Stack>
  );
}
