import { Alert, Button, Group, Tabs } from '@mantine/core';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { t } from '../../kit/translate.ts';
import classes from './page-editor.module.css';
import type { SideState } from './use-side.ts';
import { WidgetForm } from './widget-form.tsx';

/** The form of a widget, with the same as JSON. What it says is shown by the widget on the page. */
export function WidgetPanel({ side, form }: { side: SideState; form: NonNullable<SideState['form']> }) {
  const { widget, kind, text, missing, jsonProblem, showsProblems, original } = form;
  const json = <JsonInput text={text ?? ''} onChange={side.typeJson} problem={jsonProblem} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // ignore submits of forms in nested pickers
        if (event.target === event.currentTarget) side.settle();
      }}
      noValidate
    >
      {kind ? (
        <Tabs
          value={text === undefined ? 'form' : 'json'}
          onChange={(tab) => (tab === 'json' ? side.toJson() : side.toForm())}
          keepMounted={false}
        >
          <Tabs.List mb="sm">
            <Tabs.Tab value="form">{t('Form')}</Tabs.Tab>
            <Tabs.Tab value="json">{t('JSON')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="form">
            <WidgetForm kind={kind} widget={widget} showsProblems={showsProblems} onChange={side.write} />
          </Tabs.Panel>
          <Tabs.Panel value="json">{json}</Tabs.Panel>
        </Tabs>
      ) : (
        json
      )}
      {showsProblems && missing.size > 0 && (
        <Alert color="red" role="alert" mt="sm">
          {[...missing.values()].join('. ')}.
        </Alert>
      )}
      <Group justify="flex-end" gap="xs" className={classes.sideFoot}>
        {original === undefined && (
          <Button size="xs" variant="subtle" onClick={side.chooseAgain}>
            {t('Choose another type')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={side.cancel}>
          {t('Cancel')}
        </Button>
        <Button size="xs" type="submit">
          {original === undefined ? t('Add widget') : t('Apply')}
        </Button>
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
        label={t('Widget as JSON')}
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
