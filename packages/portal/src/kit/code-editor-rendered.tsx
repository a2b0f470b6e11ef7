import '@fontsource-variable/jetbrains-mono/wght.css';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { linter, lintGutter } from '@codemirror/lint';
import { useComputedColorScheme } from '@mantine/core';
import CodeMirror, { EditorView, type Extension, Prec } from '@uiw/react-codemirror';
import { useMemo } from 'react';
import type { CodeEditorProps } from './code-editor.types.ts';
import classes from './kit.module.css';

const languages: Readonly<Record<CodeEditorProps['language'], () => Extension>> = {
  json,
  yaml,
  jq: () => [],
  markdown: () => EditorView.lineWrapping,
  text: () => EditorView.lineWrapping,
};

/** The library's own backgrounds give its dark syntax colours too little contrast (WCAG 2.2, 1.4.3). */
const onSurface = EditorView.theme({
  '&, & .cm-gutters': { backgroundColor: 'var(--surface)' },
  '& .cm-scroller': { fontFamily: "'JetBrains Mono Variable', ui-monospace, monospace" },
  '& .cm-activeLine, & .cm-activeLineGutter': { backgroundColor: 'transparent' },
});

/** Loaded when an editor is first shown. */
export function CodeEditorRendered({
  value,
  language,
  label,
  onChange,
  problems,
  minHeight = 120,
  maxHeight = 480,
}: CodeEditorProps) {
  const scheme = useComputedColorScheme('light');
  const extensions = useMemo(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
    return [
      languages[language](),
      EditorView.cspNonce.of(nonce),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      Prec.highest(onSurface),
    ];
  }, [language, label]);
  const marked = useMemo(() => {
    if (problems === undefined) return extensions;
    // the text may have changed since the problems were found: ranges can lie outside it
    const diagnostics = ({ state }: EditorView) =>
      problems.map(({ from, to, message }) => ({
        from: Math.min(from, state.doc.length),
        to: Math.min(to, state.doc.length),
        severity: 'error' as const,
        message,
      }));
    return [...extensions, lintGutter(), linter(diagnostics, { delay: 0 })];
  }, [extensions, problems]);
  return (
    <CodeMirror
      className={classes.editor ?? ''}
      value={value}
      theme={scheme}
      minHeight={`${minHeight}px`}
      maxHeight={`${maxHeight}px`}
      extensions={marked}
      // Tab leaves the editor: a keyboard user must not be trapped
      indentWithTab={false}
      readOnly={onChange === undefined}
      {...(onChange ? { onChange } : {})}
    />
  );
}
