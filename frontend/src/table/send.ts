/** Sending moves, and what came of it. */

import { postOnce } from "../once";

export interface Answer {
  ok: boolean;
  /** Why not, in one sentence. */
  error: string;
  /** The rule that says so, and its name. */
  rule: string;
  ruleName: string;
}

/** What the server answers if it refuses something. */
export interface Refusal {
  error?: string;
  rule?: string;
  rule_name?: string;
}

/** Posts JSON; `failure` is the sentence for an answer that says nothing itself. */
export async function post(url: string, body: unknown, failure: string): Promise<Answer> {
  const answer: Answer = { ok: false, error: failure, rule: "", ruleName: "" };
  let response: Response;
  try {
    response = await postOnce(url, JSON.stringify(body), {
      "Content-Type": "application/json",
      Accept: "application/json",
    });
  } catch {
    return answer;
  }
  if (response.ok) return { ...answer, ok: true, error: "" };
  try {
    const refusal = (await response.json()) as Refusal;
    answer.error = refusal.error ?? failure;
    answer.rule = refusal.rule ?? "";
    answer.ruleName = refusal.rule_name ?? "";
  } catch {
    // A page of a proxy in between has no sentence for us.
  }
  return answer;
}
