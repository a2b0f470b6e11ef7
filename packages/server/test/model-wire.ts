export interface ModelWire {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini' | 'converse';
  /** Of what a writer gives; UTF-8 unless told. */
  readonly encoding?: 'latin1';
  /** `text/event-stream` unless told. */
  readonly contentType?: string;
  errorBody(status: number): unknown;
  begin(usage: { readonly input: number; readonly output: number }): WireWriter;
}

/** What one provider's stream looks like, event by event. */
export interface WireWriter {
  open(): string;
  openText(): string;
  text(piece: string): string;
  closeText(): string;
  /** A whole call; its arguments come in two pieces. */
  call(index: number, name: string, args: string): string;
  error(): string;
  close(reason: 'stop' | 'length' | 'tool-calls'): string;
}
