import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { type FormEvent, Fragment, type ReactNode, useRef, useState } from 'react';
import { ApiError, errorStatus } from '../../api/api.ts';
import { useCommands } from '../../frame/commands.tsx';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { useFirstFocus } from '../../kit/use-first-focus.ts';
import type { Field } from '../entities/fields.ts';
import classes from './entity-form.module.css';
import { FieldInput } from './field-input.tsx';
import { type FormValues, findProblems, type Issue, issuesByField, writtenFields } from './form-values.ts';

interface Failure {
  readonly text: string;
  readonly byField: Readonly<Record<string, string>>;
  readonly others: readonly Issue[];
}

const nothing: Failure = { text: '', byField: {}, others: [] };

/** The form of an entity, generated from its blueprint. Typed values survive any answer of the server. */
export function EntityForm({
  fields,
  values,
  onChange,
  identifier,
  onIdentifier,
  onSave,
  onCancel,
  verb,
  mayWrite,
  children,
}: {
  fields: readonly Field[];
  values: FormValues;
  onChange: (values: FormValues) => void;
  /** For a new entity. */
  identifier?: string;
  onIdentifier?: (identifier: string) => void;
  /** @throws the error of the server */
  onSave: () => Promise<void>;
  onCancel: () => void;
  verb: string;
  mayWrite?: (field: Field) => boolean;
  children?: ReactNode;
}) {
  const [failure, setFailure] = useState(nothing);
  const [isSaving, setSaving] = useState(false);
  const [face, setFace] = useState('form');
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form, onIdentifier !== undefined);
  const shown = writtenFields(fields);
  const required = shown.filter(({ isRequired, key }) => isRequired || key === '$title' || key === '$team');
  const groups = [
    { title: t('Basics'), fields: required },
    {
      title: t('Relations'),
      fields: shown.filter((field) => field.source === 'relation' && !required.includes(field)),
    },
    {
      title: t('Properties'),
      fields: shown.filter((field) => field.source === 'property' && !required.includes(field)),
    },
  ];
  const identifierField = onIdentifier && (
    <TextInput
      label={t('Identifier')}
      description={t('What the API calls it. Left empty, one is made.')}
      value={identifier ?? ''}
      error={failure.byField['$identifier'] && t('Identifier {byField}', { byField: failure.byField['$identifier'] })}
      onChange={({ currentTarget }) => onIdentifier(currentTarget.value)}
    />
  );
  const fail = (next: Failure) => {
    setFailure(next);
    setFace('form');
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus(),
    );
  };
  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isSaving) return;
    const problems = findProblems(values, fields);
    if (Object.keys(problems).length > 0)
      return fail({ text: t('Some fields are not ready.'), byField: problems, others: [] });
    setSaving(true);
    try {
      await onSave();
      setFailure(nothing);
    } catch (error) {
      const details =
        error instanceof ApiError && Array.isArray(error.body?.details) ? (error.body.details as Issue[]) : [];
      const { byField, others } = issuesByField(details, fields);
      const isTaken = error instanceof ApiError && error.body?.error === 'identifier_taken';
      fail({
        text: failureText(error),
        byField: isTaken ? { ...byField, $identifier: t('is taken') } : byField,
        others,
      });
    } finally {
      setSaving(false);
    }
  };
  useCommands([{ id: 'save-entity', label: verb, keys: 'mod+s', run: () => void save() }]);
  return (
    <form ref={form} onSubmit={(event) => void save(event)} className={classes.form} noValidate>
      <Stack gap="md">
        <SegmentedControl
          aria-label={t('Form or JSON')}
          size="xs"
          className={classes.face ?? ''}
          data={[
            { value: 'form', label: t('Form') },
            { value: 'json', label: 'JSON' },
          ]}
          value={face}
          onChange={setFace}
        />
        {failure.text && (
          <Alert color="red" role="alert" tabIndex={-1} title={t('The changes were not saved')}>
            {failure.text}
            {failure.others.length > 0 && (
              <ul className={classes.issues}>
                {failure.others.map(({ path, message }) => (
                  <li key={`${path} ${message}`}>
                    {path} {message}
                  </li>
                ))}
              </ul>
            )}
          </Alert>
        )}
        {children}
        {face === 'json' ? (
          <>
            {identifierField}
            <JsonFace values={values} onChange={onChange} />
          </>
        ) : (
          groups.map(({ title, fields: list }) => (
            <Section key={title} title={title} isShown={list.length > 0}>
              {list.map((field) => (
                <Fragment key={field.key}>
                  {mayWrite && !mayWrite(field) ? (
                    <Text size="sm" c="dimmed">
                      {t('{title}: you may not change it.', { title: field.title })}
                    </Text>
                  ) : (
                    <FieldInput
                      field={field}
                      value={values[field.key]}
                      onChange={(value) => onChange({ ...values, [field.key]: value })}
                      error={failure.byField[field.key]}
                    />
                  )}
                  {field.key === '$title' && identifierField}
                </Fragment>
              ))}
            </Section>
          ))
        )}
        <Group className={classes.foot ?? ''} data-foot>
          <Button type="submit" loading={isSaving}>
            {verb}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Section({ title, isShown, children }: { title: string; isShown: boolean; children: ReactNode }) {
  if (!isShown) return null;
  return (
    <fieldset className={classes.section}>
      <legend>{title}</legend>
      <Stack gap="md">{children}</Stack>
    </fieldset>
  );
}

function JsonFace({ values, onChange }: { values: FormValues; onChange: (values: FormValues) => void }) {
  const [text, setText] = useState(() => JSON.stringify(values, null, 2));
  const [problem, setProblem] = useState('');
  return (
    <Stack gap="xs">
      <CodeEditor
        label={t('The entity as JSON')}
        language="json"
        minHeight={320}
        value={text}
        onChange={(typed) => {
          setText(typed);
          try {
            const read = JSON.parse(typed) as unknown;
            if (!isRecord(read)) throw new Error(t('The JSON must be an object'));
            onChange(read as FormValues);
            setProblem('');
          } catch (error) {
            setProblem(t('{message}. The form keeps what was readable last.', { message: (error as Error).message }));
          }
        }}
      />
      <Text size="sm" c="dimmed" role="status">
        {problem}
      </Text>
    </Stack>
  );
}

function failureText(error: unknown): string {
  const status = errorStatus(error);
  if (status === 0) return t('The server could not be reached. What you typed is kept; try again.');
  if (status >= 500)
    return t('{message} Nothing was changed, and what you typed is kept; try again.', {
      message: (error as Error).message,
    });
  return (error as Error).message;
}
