import { Combobox, Input, Loader, Pill, PillsInput, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { InputOf } from '../api/api.ts';
import { useRead } from '../api/query.ts';
import { t } from '../kit/translate.ts';
import { EntityIcon } from './entity-icon.tsx';
import classes from './form.module.css';
import { NothingToPick } from './nothing-to-pick.tsx';

export interface EntityPickerProps {
  readonly id?: string;
  readonly blueprint: string;
  /** Rules that entities must match, already evaluated. */
  readonly dataset?: object | undefined;
  readonly sort?: { readonly property: string; readonly order: string } | null | undefined;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  readonly isMany?: boolean;
  readonly most?: number | undefined;
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  readonly onBlur?: () => void;
}

type SearchBody = NonNullable<InputOf<'searchBlueprintEntities'>['body']>;

/** Picks entities of a blueprint by typing; the server returns only entities that match and that the user may read. */
export function EntityPicker(props: EntityPickerProps) {
  const { blueprint, dataset, sort, value, onChange, isMany = false, most, label, isDisabled, onBlur } = props;
  const [text, setText] = useState('');
  const [term] = useDebouncedValue(text.trim(), 200);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const search = (rules: readonly unknown[], limit: number, isOn: boolean) => ({
    input: {
      params: { blueprint_identifier: blueprint },
      body: {
        limit,
        include: ['$identifier', '$title', '$icon'],
        query: { combinator: 'and', rules },
        ...(sort
          ? { sort: [{ property: sort.property, order: sort.order.toLowerCase() === 'desc' ? 'desc' : 'asc' }] }
          : {}),
      } as unknown as SearchBody,
    },
    isOn,
  });
  const words = ['$title', '$identifier'].map((property) => ({ property, operator: 'contains', value: term }));
  const wanted = search(
    [...(dataset ? [dataset] : []), ...(term ? [{ combinator: 'or', rules: words }] : [])],
    30,
    // with rules there may be nothing, which is better known before the list is opened
    combobox.dropdownOpened || dataset !== undefined,
  );
  const found = useRead('searchBlueprintEntities', wanted.input, { isOn: wanted.isOn, keepsPrevious: true });
  const chosen = search(
    [{ property: '$identifier', operator: 'in', value: [...value] }],
    Math.max(1, value.length),
    true,
  );
  const named = useRead('searchBlueprintEntities', chosen.input, { isOn: value.length > 0, keepsPrevious: true });
  const titles = new Map(
    [...(found.data?.entities ?? []), ...(named.data?.entities ?? [])].map(({ identifier, title }) => [
      identifier,
      title,
    ]),
  );
  const isEmpty = term === '' && found.data?.entities.length === 0 && !found.isPlaceholderData;
  const isFull = isMany && most !== undefined && value.length >= most;
  const options = (found.data?.entities ?? []).filter(({ identifier = '' }) => !isMany || !value.includes(identifier));
  // Enter takes the best match; nothing is taken for somebody who only looks
  const best = term !== '' && combobox.dropdownOpened && !found.isPlaceholderData ? options[0]?.identifier : undefined;
  const { selectFirstOption } = combobox;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const element = field.current;
    const selected = best === undefined ? null : selectFirstOption();
    // the library tells screen readers only of options that arrow keys reached
    if (selected) element?.setAttribute('aria-activedescendant', selected);
    return () => element?.removeAttribute('aria-activedescendant');
  }, [best, selectFirstOption]);
  const choose = (identifier: string) => {
    onChange(isMany ? [...value, identifier] : [identifier]);
    setText('');
    if (!isMany) combobox.closeDropdown();
  };
  const remove = (identifier: string) => onChange(value.filter((each) => each !== identifier));
  return (
    <div>
      <Combobox store={combobox} onOptionSubmit={choose} disabled={isDisabled ?? false}>
        <Combobox.DropdownTarget>
          <PillsInput
            {...(props.id ? { id: props.id } : {})}
            label={label}
            description={props.description}
            error={props.error}
            required={props.isRequired ?? false}
            disabled={isDisabled ?? false}
            rightSection={found.isFetching && combobox.dropdownOpened ? <Loader size={14} /> : <Combobox.Chevron />}
            onClick={() => combobox.openDropdown()}
          >
            <Pill.Group>
              {value.map((identifier) => (
                <Pill
                  key={identifier}
                  withRemoveButton={!isDisabled}
                  onRemove={() => remove(identifier)}
                  removeButtonProps={{
                    'aria-label': t('Remove {identifier}', { identifier: titles.get(identifier) || identifier }),
                    tabIndex: 0,
                    'aria-hidden': false,
                    // the library's default icon has no accessible name
                    icon: <X size={12} aria-hidden="true" />,
                  }}
                  title={identifier}
                >
                  {titles.get(identifier) || identifier}
                </Pill>
              ))}
              <Combobox.EventsTarget withExpandedAttribute>
                <PillsInput.Field
                  ref={field}
                  role="combobox"
                  value={text}
                  disabled={(isDisabled ?? false) || isFull}
                  placeholder={
                    isFull ? t('{most} at most', { most }) : value.length > 0 && !isMany ? t('Change') : t('Search')
                  }
                  onFocus={() => combobox.openDropdown()}
                  onBlur={() => {
                    combobox.closeDropdown();
                    setText('');
                    onBlur?.();
                  }}
                  onChange={({ currentTarget }) => {
                    setText(currentTarget.value);
                    combobox.openDropdown();
                    combobox.updateSelectedOptionIndex();
                  }}
                  onKeyDown={(event) => {
                    // the form is not sent by somebody who chooses
                    if (event.key === 'Enter' && text !== '') event.preventDefault();
                    const last = value.at(-1);
                    if (event.key !== 'Backspace' || text !== '' || last === undefined) return;
                    event.preventDefault();
                    remove(last);
                  }}
                />
              </Combobox.EventsTarget>
            </Pill.Group>
          </PillsInput>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown hidden={isFull || isEmpty}>
          <Combobox.Options mah={260} className={classes.options ?? ''} aria-label={label}>
            {options.map(({ identifier = '', title, icon }) => (
              <Combobox.Option key={identifier} value={identifier} active={value.includes(identifier)}>
                <span className={classes.option}>
                  <EntityIcon name={icon ?? ''} />
                  <span dir="auto">{title || identifier}</span>
                  {title && title !== identifier && <code className={classes.identifier}>{identifier}</code>}
                </span>
              </Combobox.Option>
            ))}
            {options.length === 0 && (
              <Combobox.Empty>
                {found.error ? (
                  <Input.Error size="sm">{found.error.message}</Input.Error>
                ) : (
                  <Text size="sm">
                    {found.isPending
                      ? t('Searching')
                      : term
                        ? t('Nothing matches "{term}"', { term })
                        : t('All are chosen')}
                  </Text>
                )}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {isEmpty && <NothingToPick blueprint={blueprint} dataset={dataset} />}
    </div>
  );
}
