import { expect, test } from "vitest";
import { linesOf } from "../src/backend/lines.ts";

test("lines are whole wherever the stream is cut, also inside of a letter", async () => {
  const bytes = new TextEncoder().encode('{"a": "ü"}\n\n{"b": "♙"}\nlast');
  for (let size = 1; size <= bytes.length; size += 1) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const lines = [];
    for await (const line of linesOf(stream)) lines.push(line);
    expect(lines).toEqual(['{"a": "ü"}', '{"b": "♙"}', "last"]);
  }
});
