import { Input } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeEditor } from '../kit/code-editor.tsx';
import { t } from '../kit/translate.ts';

export interface StructuredFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  /** `json` holds the parsed value; the others hold text. */
  readonly language: 'json' | 'yaml' | 'markdown' | 'text';
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Reports invalid JSON, and undefined once it is valid. */
  readonly onProblem?: (problem: string | undefined) => void;
}

/** A structured value in a text editor. Invalid JSON stays as typed. */
export function StructuredField(props: StructuredFieldProps) {
  const { label, description, error, isRequired, isDisabled, language, value, onChange, onProblem } = props;
  const isJson = language === 'json';
  const spelled = isJson
    ? value === undefined || value === null
      ? ''
      : JSON.stringify(value, null, 2)
    : String(value ?? '');
  const [draft, setDraft] = useState<{ text: string; stands: string }>();
  // keep the user's formatting while it means the same value
  const text = draft && draft.stands === spelled ? draft.text : spelled;
  const write = (next: string) => {
    if (!isJson) return onChange(next === '' ? null : next);
    const read = readJson(next);
    onProblem?.('problem' in read ? read.problem : undefined);
    if ('problem' in read) return setDraft({ text: next, stands: spelled });
    setDraft({ text: next, stands: read.value === null ? '' : JSON.stringify(read.value, null, 2) });
    onChange(read.value);
  };
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      required={isRequired ?? false}
      labelElement="div"
    >
      <CodeEditor
        value={text}
        language={language}
        label={label}
        minHeight={96}
        maxHeight={320}
        {...(isDisabled ? {} : { onChange: write })}
      />
    </Input.Wrapper>
  );
}

function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: t('is no JSON: {message}', { message: (error as Error).message }) };
  }
}
