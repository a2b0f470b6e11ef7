import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { IconSelect } from '../icon-select.tsx';
import { type Widget, widgetList, widgetText } from '../widgets/widget-shape.ts';
import {
  answered,
  type FormField,
  fieldsFor,
  type InputProps,
  isLook,
  listItems,
  listOfItems,
  missingIn,
  type WidgetKind,
  withValueAt,
} from './form-fields.ts';
import classes from './page-editor.module.css';
import { CatalogInput, SimpleInput } from './widget-inputs.tsx';

const simple = new Set(['text', 'texts', 'markdown', 'number', 'switch', 'choice', 'icon']);

/** The form of a widget: its title, then the fields of its type. Keys without a field are kept. */
export function WidgetForm({
  kind,
  widget,
  showsProblems,
  onChange,
}: {
  kind: WidgetKind;
  widget: Widget;
  showsProblems: boolean;
  onChange: (widget: Widget) => void;
}) {
  const isData = (field: FormField) => !isLook(field);
  const hasData = fieldsFor(kind.fields, widget).some(isData);
  const questions = (among: (field: FormField) => boolean) => (
    <Questions fields={kind.fields} among={among} widget={widget} showsProblems={showsProblems} onChange={onChange} />
  );
  return (
    <Stack gap="md">
      <TextInput
        label={t('Title')}
        maxLength={200}
        data-begin
        placeholder={kind.title}
        value={widgetText(widget, 'title') ?? ''}
        onChange={({ currentTarget }) => onChange(withValueAt(widget, 'title', currentTarget.value))}
      />
      {hasData && <FieldGroup title={t('Data')}>{questions(isData)}</FieldGroup>}
      <FieldGroup title={t('Look')}>
        {questions(isLook)}
        <TextInput
          label={t('Description')}
          maxLength={500}
          value={widgetText(widget, 'description') ?? ''}
          onChange={({ currentTarget }) => onChange(withValueAt(widget, 'description', currentTarget.value))}
        />
        <IconSelect
          value={widgetText(widget, 'icon')}
          onChange={(icon) => onChange(withValueAt(widget, 'icon', icon))}
        />
      </FieldGroup>
    </Stack>
  );
}

function FieldGroup({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className={classes.list}>
      <legend>{title}</legend>
      <Stack gap="sm">{children}</Stack>
    </fieldset>
  );
}

/** The fields that apply, or those among them; an answer may change the others too. */
function Questions({
  fields,
  among = () => true,
  widget,
  showsProblems,
  onChange,
}: {
  fields: readonly FormField[];
  among?: (field: FormField) => boolean;
  widget: Widget;
  showsProblems: boolean;
  onChange: (widget: Widget) => void;
}) {
  const missing = missingIn(fields, widget);
  return fieldsFor(fields, widget)
    .filter(among)
    .map((field) => (
      <Question
        key={field.key}
        field={field}
        widget={widget}
        error={showsProblems ? missing.get(field.key) : undefined}
        showsProblems={showsProblems}
        onAnswer={(value) => onChange(toAnswer(fields, widget, field, value))}
      />
    ));
}

/** A switch is written under the key that the widget already uses. */
function toAnswer(fields: readonly FormField[], widget: Widget, field: FormField, value: unknown): Widget {
  const spelling =
    field.kind === 'switch' ? field.otherSpellings?.find((each) => widget[each] !== undefined) : undefined;
  return spelling ? { ...widget, [spelling]: value } : answered(fields, widget, field, value);
}

function Question(props: InputProps & { showsProblems: boolean }) {
  if (props.field.kind === 'list') return <ListInput {...props} />;
  return simple.has(props.field.kind) ? <SimpleInput {...props} /> : <CatalogInput {...props} />;
}

function ListInput({ field, widget, error, onAnswer, showsProblems }: InputProps & { showsProblems: boolean }) {
  if (field.kind !== 'list') return null;
  const items = listItems(field, widget);
  const write = (next: readonly Widget[]) => onAnswer(listOfItems(field, next));
  const { one } = field;
  return (
    <fieldset className={classes.list}>
      <legend>{field.label}</legend>
      <Stack gap="sm">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what stands in lists has no name of its own
          <fieldset key={index} className={classes.listItem} aria-label={`${one} ${index + 1}`}>
            <Stack gap="xs" flex={1} miw={0}>
              <Questions
                fields={field.fields}
                widget={item}
                showsProblems={showsProblems}
                onChange={(next) => write(items.with(index, next))}
              />
            </Stack>
            <Stack gap={2}>
              <ListButton
                label={t('Move {one} {value} up', { one, value: index + 1 })}
                isOff={index === 0}
                onClick={() => write(items.toSpliced(index, 1).toSpliced(index - 1, 0, item))}
              >
                <ArrowUp size={16} />
              </ListButton>
              <ListButton
                label={t('Move {one} {value} down', { one, value: index + 1 })}
                isOff={index === items.length - 1}
                onClick={() => write(items.toSpliced(index, 1).toSpliced(index + 1, 0, item))}
              >
                <ArrowDown size={16} />
              </ListButton>
              <ListButton
                label={t('Remove {one} {value}', { one, value: index + 1 })}
                isOff={widgetList(item, 'widgets').length > 0}
                onClick={() => write(items.toSpliced(index, 1))}
              >
                <Trash2 size={16} />
              </ListButton>
            </Stack>
          </fieldset>
        ))}
        {items.some((item) => widgetList(item, 'widgets').length > 0) && (
          <Text size="xs" c="dimmed">
            {t('Remove the widgets of a tab before you remove the tab.')}
          </Text>
        )}
        {error && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Plus size={14} />}
            onClick={() => write([...items, field.begins])}
          >
            {t('Add a {one}', { one })}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}

function ListButton({
  label,
  isOff,
  onClick,
  children,
}: {
  label: string;
  isOff: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <ActionIcon size={28} aria-label={label} disabled={isOff} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}
