import { Input } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeEditor } from '../kit/code-editor.tsx';

export interface StructuredFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  /** `json` holds the value itself; the others hold text. */
  readonly language: 'json' | 'yaml' | 'markdown' | 'text';
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Told what is wrong with text that is no JSON, and when it is right again. */
  readonly onProblem?: (problem: string | undefined) => void;
}

/** A value of some structure, written in an editor. Text that is no JSON stays until it is. */
export function StructuredField(props: StructuredFieldProps) {
  const { label, description, error, isRequired, isDisabled, language, value, onChange, onProblem } = props;
  const isJson = language === 'json';
  const spelled = isJson
    ? value === undefined || value === null
      ? ''
      : JSON.stringify(value, null, 2)
    : String(value ?? '');
  const [draft, setDraft] = useState<{ text: string; stands: string }>();
  // what is typed stays as it is written for as long as it means the value
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
    return { problem: `is no JSON: ${(error as Error).message}` };
  }
}
