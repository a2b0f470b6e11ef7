import { Stack, Text, Title } from '@mantine/core';
import { readIssues } from '../../kit/refusal.ts';
import { Sentence } from '../../kit/sentence.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { BackendFields } from '../../parts/actions/backend-fields.tsx';
import form from '../../parts/form.module.css';
import { type Draft, missingIn } from './action-draft.ts';
import classes from './actions.module.css';
import type { EditorProps } from './editor-props.ts';
import { type Sample, useTrial } from './trial.ts';

/** The backend, beside a preview of its payload as the server renders it. */
export function BackendTab({ draft, onChange, issues, onProblem, sample }: EditorProps & { sample: Sample }) {
  return (
    <div className={classes.columns}>
      <section className={form.section} aria-label={t('Backend')}>
        <BackendFields
          backend={draft.invocationMethod}
          start="form"
          issues={issues}
          onProblem={onProblem}
          onChange={(invocationMethod) => onChange({ ...draft, invocationMethod })}
        />
        <Text size="sm" c="dimmed">
          <Sentence
            text="Every text may hold templates: <code/> is what was filled in, <code2/> the entity it acts on, <code3/> who ran it, <code4/> the run, <code5/> a secret."
            parts={{
              code: <code>{'{{ .inputs.name }}'}</code>,
              code2: <code>{'{{ .entity.identifier }}'}</code>,
              code3: <code>{'{{ .trigger.by.user.email }}'}</code>,
              code4: <code>{'{{ .run.id }}'}</code>,
              code5: <code>{'{{ .secrets.NAME }}'}</code>,
            }}
          />
        </Text>
      </section>
      <PayloadPreview draft={draft} sample={sample} />
    </div>
  );
}

function PayloadPreview({ draft, sample }: { draft: Draft; sample: Sample }) {
  const missing = missingIn({ ...draft, identifier: draft.identifier || 'x' });
  const tried = { ...draft, identifier: draft.identifier.trim() || 'not_saved_yet' };
  const trial = useTrial(tried, sample, { isOn: missing === undefined });
  const test = trial.data?.test;
  return (
    <section className={surfaces.block} aria-label={t('Request preview')}>
      <Title order={2} size="h3">
        {t('Request preview')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('With the values of the form preview. Secrets are masked, and nothing is sent.')}
      </Text>
      <div role="status">
        {missing !== undefined && <Text size="sm">{missing}</Text>}
        {missing === undefined && trial.error && (
          <Stack gap={4}>
            <Text size="sm" c="var(--danger)">
              {trial.error.message}
            </Text>
            <ul className={classes.problems}>
              {readIssues(trial.error).map(({ path, message }) => (
                <li key={`${path} ${message}`}>
                  <code>{path.replace(/^\/action/, '')}</code> {message}
                </li>
              ))}
            </ul>
          </Stack>
        )}
        {missing === undefined && !trial.error && test && (
          <ul className={classes.problems}>
            {test.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
      </div>
      {missing === undefined && !trial.error && test?.request && (
        <>
          {test.form.issues.length > 0 && (
            <Text size="sm" c="dimmed" mb={4}>
              {t('The form is not complete: what is missing comes out as null.')}
            </Text>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
          <pre className={surfaces.pre} tabIndex={0}>
            {JSON.stringify(test.request, null, 2)}
          </pre>
        </>
      )}
    </section>
  );
}
