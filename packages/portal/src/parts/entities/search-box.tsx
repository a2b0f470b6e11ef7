import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../kit/translate.ts';

const afterMs = 250;

/** The search of a table. What is typed goes to the address after a moment, and what the address says is shown. */
export function SearchBox({
  label,
  value,
  onChange,
  field,
  className,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  field: RefObject<HTMLInputElement | null>;
  className: string;
}) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim();
    onChange(sent.current);
  }, afterMs);
  useEffect(() => {
    // another one than was sent from here: cleared, reset, or a step back
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value);
    }
  }, [value]);
  return (
    <TextInput
      ref={field}
      className={className}
      aria-label={t('Search in {label}', { label })}
      placeholder={t('Title or identifier')}
      leftSection={<Search size={14} />}
      value={typed}
      maxLength={500}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
      size="sm"
    />
  );
}
