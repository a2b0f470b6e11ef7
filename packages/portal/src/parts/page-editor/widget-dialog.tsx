import { Alert, Button, Group, Stack, Tabs, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { type Widget, widgetText } from '../../parts/widgets/widget-shape.ts';
import { WidgetView } from '../../parts/widgets/widget-view.tsx';
import { useArrange } from './arrange.tsx';
import { missingIn, type WidgetKind } from './form-fields.ts';
import { newWidgetId } from './page-draft.ts';
import classes from './pages.module.css';
import { WidgetForm } from './widget-form.tsx';
import { nameOfWidget, widgetKind, widgetKinds } from './widget-kinds.ts';
import { WidgetSuggestions } from './widget-suggestions.tsx';

/** Chooses and configures a new widget, or edits an existing one, with a preview. */
export function WidgetDialog({
  widget,
  about,
  isOpen,
  onClose,
  onDone,
}: {
  widget: Widget | undefined;
  /** The blueprint that new widgets are likely about. */
  about: string | undefined;
  isOpen: boolean;
  onClose: () => void;
  onDone: (widgets: readonly Widget[]) => void;
}) {
  const [chosen, setChosen] = useState<Widget>();
  const isNarrow = useMediaQuery('(max-width: 767px)') ?? false;
  const shown = widget ?? chosen;
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      size={960}
      fullScreen={isNarrow}
      title={widget ? `Edit ${nameOfWidget(widget)}` : shown ? `Add: ${widgetKind(shown)?.title}` : 'Add a widget'}
      // a stray click outside must not discard input
      closeOnClickOutside={shown === undefined}
    >
      {shown ? (
        <Editor
          widget={shown}
          verb={widget ? 'Apply' : 'Add'}
          onCancel={onClose}
          onBack={widget ? undefined : () => setChosen(undefined)}
          onDone={(done) => onDone([done])}
        />
      ) : (
        <Gallery
          about={about}
          onAdd={onDone}
          onChoose={({ type, begins }) => setChosen({ id: newWidgetId(), type, title: '', ...structuredClone(begins) })}
        />
      )}
    </Dialog>
  );
}

function Gallery({
  about,
  onAdd,
  onChoose,
}: {
  about: string | undefined;
  onAdd: (widgets: readonly Widget[]) => void;
  onChoose: (kind: WidgetKind) => void;
}) {
  const { isHome } = useArrange();
  const [text, setText] = useState('');
  const fits = ({ title, text: about }: WidgetKind) =>
    `${title} ${about}`.toLowerCase().includes(text.trim().toLowerCase());
  const kinds = widgetKinds.filter((kind) => (isHome || !kind.isForHome) && fits(kind));
  return (
    <Stack>
      <TextInput
        label="Find a widget type"
        value={text}
        data-autofocus
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          const [first, ...others] = kinds;
          if (key === 'Enter' && first && others.length === 0) onChoose(first);
        }}
      />
      {text === '' && <WidgetSuggestions about={about} onAdd={onAdd} />}
      {kinds.length === 0 && <Text c="dimmed">No widget matches “{text}”.</Text>}
      <ul className={classes.gallery} aria-label="Widget types">
        {kinds.map((kind) => (
          <li key={kind.type}>
            <button type="button" className={classes.kind} onClick={() => onChoose(kind)}>
              <strong>
                <kind.icon size={18} aria-hidden="true" />
                {kind.title}
              </strong>
              <span>{kind.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function Editor({
  widget,
  verb,
  onCancel,
  onBack,
  onDone,
}: {
  widget: Widget;
  verb: string;
  onCancel: () => void;
  onBack: (() => void) | undefined;
  onDone: (widget: Widget) => void;
}) {
  const kind = widgetKind(widget);
  const [draft, setDraft] = useState(widget);
  const [text, setText] = useState(() => (kind ? undefined : toJson(widget)));
  const [showsProblems, setShowsProblems] = useState(false);
  const read = text === undefined ? undefined : readWidget(text, widget);
  const problem = read && 'problem' in read ? read.problem : undefined;
  const current = read && 'widget' in read ? read.widget : draft;
  const missing = kind ? missingIn(kind.fields, current) : new Map<string, string>();
  const finish = () => {
    setShowsProblems(true);
    if (problem !== undefined || (text === undefined && missing.size > 0)) return;
    const { title, ...rest } = current;
    onDone(title === '' ? rest : current);
  };
  const form = kind && <WidgetForm kind={kind} widget={draft} showsProblems={showsProblems} onChange={setDraft} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // ignore submits of forms in nested pickers
        if (event.target === event.currentTarget) finish();
      }}
      noValidate
    >
      <div className={classes.sides}>
        <div>
          {form ? (
            <Tabs
              value={text === undefined ? 'form' : 'json'}
              onChange={(tab) => {
                if (tab === 'json') return setText(toJson(draft));
                if (problem !== undefined) return;
                setDraft(current);
                setText(undefined);
              }}
              keepMounted={false}
            >
              <Tabs.List mb="sm">
                <Tabs.Tab value="form">Form</Tabs.Tab>
                <Tabs.Tab value="json">JSON</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="form">{form}</Tabs.Panel>
              <Tabs.Panel value="json">
                <JsonInput text={text ?? ''} onChange={setText} problem={problem} />
              </Tabs.Panel>
            </Tabs>
          ) : (
            <JsonInput text={text ?? ''} onChange={setText} problem={problem} />
          )}
          {showsProblems && text === undefined && missing.size > 0 && (
            <Alert color="red" role="alert" mt="sm">
              {[...missing.values()].join('. ')}.
            </Alert>
          )}
        </div>
        <Preview widget={current} />
      </div>
      <Group justify="flex-end" mt="md">
        {onBack && (
          <Button variant="subtle" onClick={onBack}>
            Choose another type
          </Button>
        )}
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit">{verb}</Button>
      </Group>
    </form>
  );
}

function JsonInput({
  text,
  onChange,
  problem,
}: {
  text: string;
  onChange: (text: string) => void;
  problem: string | undefined;
}) {
  return (
    <>
      <CodeEditor
        language="json"
        label="Widget as JSON"
        value={text}
        onChange={onChange}
        minHeight={240}
        maxHeight={420}
      />
      {problem && (
        <Alert color="red" role="alert" mt="xs">
          {problem}
        </Alert>
      )}
    </>
  );
}

function Preview({ widget }: { widget: Widget }) {
  const { context } = useArrange();
  const [rested] = useDebouncedValue(widget, 400);
  const { id, ...nameless } = rested;
  return (
    <section aria-label="Preview" className={classes.previewSide}>
      <Title order={3} size="h4" mb="xs">
        Preview
      </Title>
      <div inert className={classes.preview}>
        <WidgetView key={widgetText(rested, 'type')} widget={nameless} context={context} />
      </div>
    </section>
  );
}

function toJson(widget: Widget): string {
  return JSON.stringify(widget, null, 2);
}

/** Parses a text as the widget. The id stays, because the layout refers to it. */
function readWidget(text: string, { id }: Widget): { readonly widget: Widget } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!isRecord(value)) return { problem: 'A widget must be a JSON object' };
  const widget = value as Widget;
  if (widgetText(widget, 'type') === undefined) return { problem: '"type" is required, for example "markdown"' };
  return { widget: { ...widget, id } };
}
