import { Button, Text, Title } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { unreadableExpressions } from '@portolan/jq';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import {
  type LocatedText,
  readLocated,
  type TextLanguage,
  type TextProblem,
  writeText,
} from '../../kit/located-text.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import classes from './mapping.module.css';
import { type MappingPart, readConfig, readWebhookMappings } from './mapping-document.ts';
import type { MappingEditorProps } from './mapping-editor.types.ts';
import { PartResult } from './part-result.tsx';
import type { SampleEvent } from './trial-messages.ts';
import { useServerCheck } from './use-server-check.ts';
import { useTrial } from './use-trial.ts';

const noParts: readonly MappingPart[] = [];

/** Loaded when a mapping is first edited, with the editor, the YAML parser and jq. */
export function MappingEditorRendered({
  value,
  label,
  onChange,
  onReadable,
  holds,
  kind,
  picker,
  sample,
  withoutSample,
}: MappingEditorProps) {
  const read = useCallback(
    (value: unknown) => (holds === 'mappings of a webhook' ? readWebhookMappings(value) : readConfig(value, kind)),
    [holds, kind],
  );
  const [language, setLanguage] = useState<TextLanguage>('yaml');
  const [text, setText] = useState(() => writeText(value, 'yaml'));
  const located = useMemo(() => readLocated(text, language), [text, language]);
  const document = useMemo(
    () => ('value' in located ? read(located.value) : { parts: noParts, problems: [] }),
    [located, read],
  );
  // the value was reset from outside: drop the typed text
  if ('value' in located && JSON.stringify(located.value) !== JSON.stringify(value)) {
    setText(writeText(value, language));
  }
  const [sampleText, setSampleText] = useState('');
  useEffect(() => setSampleText(sample === undefined ? '' : JSON.stringify(sample, null, 2)), [sample]);
  const event = useMemo(() => parseEvent(sampleText), [sampleText]);
  const trial = useTrial(document.parts, event);
  const check = useServerCheck();
  const problems = useMemo(() => {
    const shape = document.problems.map(({ path, message }) => ({ ...located.placeOf(path), message }));
    const unreadable = document.parts.flatMap(({ mapping, placeOf }) =>
      unreadableExpressions(mapping).map(({ path, message }) => ({ ...located.placeOf(placeOf(path)), message })),
    );
    const failed = trial.kind === 'done' ? trial.results.flatMap((result) => listFailures(result, located)) : [];
    return unique([...located.problems, ...shape, ...unreadable, ...failed]);
  }, [document, located, trial]);
  const write = (typed: string) => {
    setText(typed);
    const next = readLocated(typed, language);
    const isReadable = 'value' in next && read(next.value).problems.length === 0;
    onReadable(isReadable);
    if ('value' in next) onChange(next.value);
  };
  const show = (next: TextLanguage) => {
    if (!('value' in located)) return;
    setText(writeText(located.value, next));
    setLanguage(next);
  };
  return (
    <div className={classes.columns}>
      <section className={classes.column} aria-label={t('What comes in')}>
        <div className={classes.columnHead}>
          <Title order={2} size="h4">
            {t('What comes in')}
          </Title>
        </div>
        {picker}
        <CodeEditor
          language="json"
          label={t('Sample as JSON')}
          value={sampleText}
          onChange={setSampleText}
          minHeight={200}
          maxHeight={520}
        />
        <Text size="sm" c={sampleText !== '' && event === undefined ? 'var(--danger)' : 'dimmed'} role="status">
          {sampleText === ''
            ? withoutSample
            : event === undefined
              ? t('The sample must be a JSON object.')
              : t('Change it to see what else would happen; nothing is sent.')}
        </Text>
      </section>
      <section className={classes.column} aria-label={label}>
        <div className={classes.columnHead}>
          <Title order={2} size="h4">
            {label}
          </Title>
          <SegmentedControl
            size="xs"
            aria-label={t('{label} as', { label })}
            value={language}
            disabled={!('value' in located)}
            onChange={(next) => show(next as TextLanguage)}
            data={[
              { value: 'yaml', label: 'YAML' },
              { value: 'json', label: 'JSON' },
            ]}
          />
        </div>
        <CodeEditor
          language={language}
          label={t('{label} as {toUpperCase}', { label, toUpperCase: language.toUpperCase() })}
          value={text}
          onChange={write}
          problems={problems}
          minHeight={200}
          maxHeight={520}
        />
        {problems.length > 0 && (
          <ul className={classes.problems} aria-label={t('What is wrong in {label}', { label: label.toLowerCase() })}>
            {problems.map(({ line, message }) => (
              <li key={`${line} ${message}`}>{t('Line {line}: {message}', { line, message })}</li>
            ))}
          </ul>
        )}
      </section>
      <section className={classes.column} aria-label={t('Result')}>
        <div className={classes.columnHead}>
          <Title order={2} size="h4">
            {t('Result')}
          </Title>
          <Button
            size="xs"
            variant="default"
            loading={check.isPending}
            disabled={event === undefined || document.parts.length === 0}
            onClick={() => event && void check.ask(document.parts, event)}
          >
            {t('Check on the server')}
          </Button>
        </div>
        {check.error && <ErrorState error={check.error} what={t('The server could not check it')} />}
        <div role="status">
          {trial.kind === 'idle' && (
            <Text c="dimmed">{document.parts.length === 0 ? t('No mapping is for this sample.') : withoutSample}</Text>
          )}
          {trial.kind === 'stopped' && (
            <Text c="var(--danger)">{t('The expression took too long and was stopped. Check whether it ends.')}</Text>
          )}
          {check.said && <Text size="sm">{check.said}</Text>}
        </div>
        {trial.kind === 'done' &&
          trial.results.map((result) => (
            <PartResult key={result.part.title} {...result} server={check.answerOf(result.part)} />
          ))}
      </section>
    </div>
  );
}

function parseEvent(text: string): SampleEvent | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as SampleEvent) : undefined;
  } catch {
    // being typed
    return undefined;
  }
}

type Done = Extract<ReturnType<typeof useTrial>, { kind: 'done' }>['results'][number];

/** Failures for this sample, with their lines. */
function listFailures({ part, mapped }: Done, located: LocatedText): readonly TextProblem[] {
  const issues = mapped.issues.map(({ path, message }) => ({ ...located.placeOf(part.placeOf(path)), message }));
  const isWrong = mapped.isFailed || /^The filter failed/.test(mapped.reason ?? '');
  if (!isWrong || !mapped.path) return issues;
  return [{ ...located.placeOf(part.placeOf(mapped.path)), message: mapped.reason ?? '' }, ...issues];
}

/** Merges equal failures of one expression for many items; includes syntax errors. */
function unique(problems: readonly TextProblem[]): readonly TextProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ from, message }) => {
    const key = `${from} ${message.replace(/^("[^"]+"|The filter) failed: /, '')}`;
    return !seen.has(key) && seen.add(key);
  });
}
