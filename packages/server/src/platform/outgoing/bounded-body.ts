export interface BodyBounds {
  readonly bytesMax: number;
  /** Longest line: line readers buffer that much. Unlimited unless set. */
  readonly lineBytesMax?: number;
}

const lineEnd = 0x0a;

/** Fails with the error of `failure` beyond its bounds, which cuts off a peer that never stops. */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  { bytesMax, lineBytesMax = bytesMax }: BodyBounds,
  failure: (message: string) => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  let lineBytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) return controller.close();
      bytes += value.byteLength;
      const end = value.lastIndexOf(lineEnd);
      lineBytes = end < 0 ? lineBytes + value.byteLength : value.byteLength - end - 1;
      if (bytes <= bytesMax && lineBytes <= lineBytesMax) return controller.enqueue(value);
      const what =
        bytes > bytesMax ? `is larger than ${bytesMax} bytes` : `has a line of more than ${lineBytesMax} bytes`;
      const error = failure(`The answer ${what}`);
      await reader.cancel(error).catch(() => {});
      controller.error(error);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
