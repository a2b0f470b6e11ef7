import { useId } from 'react';
import classes from './segmented-control.module.css';

interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

/**
 * One of a few choices, all of them in sight. Made of radio buttons, and drawn without measuring anything: the library's
 * lays the page out once more to place its mark.
 */
export function SegmentedControl<Value extends string>({
  data,
  value,
  onChange,
  disabled = false,
  size = 'sm',
  className = '',
  'aria-label': label,
}: {
  readonly data: readonly (Segment<Value> | Value)[];
  readonly value?: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
  readonly size?: 'xs' | 'sm';
  readonly className?: string | undefined;
  readonly 'aria-label': string;
}) {
  const name = useId();
  const segments = data.map((each) => (typeof each === 'string' ? { value: each, label: each } : each));
  return (
    <div role="radiogroup" aria-label={label} className={`${classes.group} ${className}`} data-size={size}>
      {segments.map((segment) => (
        <label key={segment.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            disabled={disabled || segment.disabled === true}
            onChange={() => onChange(segment.value)}
          />
          <span>{segment.label}</span>
        </label>
      ))}
    </div>
  );
}
