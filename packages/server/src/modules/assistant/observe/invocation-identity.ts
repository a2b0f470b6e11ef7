export interface InvocationIdentity {
  readonly orgId: string;
  readonly id: string;
  readonly agent: string | null;
  readonly provider: string;
  readonly model: string;
  /** The caller's span (W3C Trace Context), as sent. */
  readonly traceparent?: string | undefined;
}
