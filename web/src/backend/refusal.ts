// Questions that could not be answered.

import { WORDS } from "../words.ts";
import type { Diagnostic } from "./backend.ts";

/** The error of a question that could not be answered, in words for the user. */
export class Refusal extends Error {
  readonly hint: string | undefined;
  readonly diagnostics: Diagnostic[];

  constructor(message: string, hint?: string, diagnostics: Diagnostic[] = []) {
    super(message);
    this.name = "Refusal";
    this.hint = hint;
    this.diagnostics = diagnostics;
  }
}

/** Returns the error in an answer, if there is one. */
export function refusalIn(answer: unknown): Refusal | undefined {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
  const { message = "", hint, diagnostics } = answer.error as { message?: string; hint?: string; diagnostics?: Diagnostic[] };
  return new Refusal(message, hint, diagnostics);
}

/** Returns the message for the user about an error. */
export function messageOf(error: unknown): string {
  return error instanceof Refusal ? [error.message, error.hint].filter(Boolean).join(" ") : WORDS.failed;
}
