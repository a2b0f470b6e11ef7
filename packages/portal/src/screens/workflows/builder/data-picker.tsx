import { Text, Title } from '@mantine/core';
import { type RefObject, use, useEffect, useMemo, useRef } from 'react';
import { useRead } from '../../../api/query.ts';
import { ReadingOnly } from '../../../kit/reading-only.ts';
import { useToast } from '../../../kit/toasts.tsx';
import { t } from '../../../kit/translate.ts';
import { useMay } from '../../../parts/access/permit.ts';
import type { Definition } from '../document/definition.ts';
import { readableAt } from '../document/outputs.ts';
import classes from './workflows.module.css';

/** What the node can read. A click writes the path where the cursor was last. */
export function DataPicker({
  draft,
  node,
  panel,
}: {
  draft: Definition;
  node: string;
  panel: RefObject<HTMLElement | null>;
}) {
  const insert = useInsertion(panel);
  const maySee = useMay('listSecrets').isAllowed;
  const secrets = useRead('listSecrets', {}, { isOn: maySee });
  const sources = useMemo(() => readableAt(draft, node), [draft, node]);
  if (use(ReadingOnly)) return null;
  const names = (secrets.data?.secrets ?? []).flatMap(({ secretName }) => (secretName ? [secretName] : []));
  const all = [
    ...sources,
    ...(names.length === 0
      ? []
      : [{ name: 'secrets', title: t('Secrets'), paths: names.map((name) => `.secrets[${JSON.stringify(name)}]`) }]),
  ];
  return (
    <section aria-label={t('Data at this step')}>
      <Title order={3} fz="sm">
        {t('Data at this step')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('Press a path to write it where the cursor was last.')}
      </Text>
      {all.map(({ name, title, paths }) => (
        <div key={name}>
          <Text size="sm" fw={550} mt="xs" dir="auto">
            {title}
          </Text>
          {paths.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('Nothing is known of its output.')}
            </Text>
          ) : (
            <ul className={classes.paths}>
              {paths.map((path) => (
                <li key={path}>
                  <button type="button" className={classes.path} onClick={() => insert(path)}>
                    {path}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  );
}

/** Writes a path into the field that had the focus last: bare into expressions, as a template elsewhere. */
function useInsertion(panel: RefObject<HTMLElement | null>) {
  const toast = useToast();
  const last = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = panel.current;
    const keep = ({ target }: FocusEvent) => {
      const field = (target as HTMLElement).closest<HTMLElement>('input:not([type="checkbox"]), textarea, .cm-content');
      if (field && !field.matches('[readonly], [role="combobox"]')) last.current = field;
    };
    root?.addEventListener('focusin', keep);
    return () => root?.removeEventListener('focusin', keep);
  }, [panel]);
  return (path: string) => {
    const field = last.current?.isConnected ? last.current : undefined;
    const text = field?.closest('[data-jq]') ? path : `{{ ${path} }}`;
    if (!field) {
      void navigator.clipboard?.writeText(text);
      toast(t('{text} was copied', { text }));
      return;
    }
    field.focus();
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) writeInto(field, text);
    else document.execCommand('insertText', false, text);
  };
}

/** As if it had been typed: React reads the value of the event, and knows the field by its own setter. */
function writeInto(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
  const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
  const value = field.value.slice(0, start) + text + field.value.slice(end);
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.setSelectionRange(start + text.length, start + text.length);
}
