import type { Prices } from "./rates";

/** Made by `npm run prices` from @pydantic/genai-prices: dollars for a million tokens. */
export const PUBLISHED_MODELS: Prices = {
  "bedrock-global/claude-fable-5": [
    {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite5m: 12.5,
    },
  ],
  "bedrock-global/claude-fable-5-1": [
    {
      input: 10,
      output: 50,
      cacheRead: 0.25,
      cacheWrite5m: 12.5,
    },
  ],
  "bedrock-global/claude-haiku-4-5": [
    {
      input: 1,
      output: 5,
      cacheRead: 0.1,
      cacheWrite5m: 1.25,
    },
  ],
  "bedrock-global/claude-opus-4-5": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
    },
  ],
  "bedrock-global/claude-opus-4-6": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
    },
  ],
  "bedrock-global/claude-opus-4-7": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
    },
  ],
  "bedrock-global/claude-opus-4-8": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
    },
  ],
  "bedrock-global/claude-opus-5": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
    },
  ],
  "bedrock-global/claude-opus-5-5": [
    {
      input: 4,
      output: 20,
      cacheRead: 0.2,
      cacheWrite5m: 5,
      cacheWrite1h: 8,
    },
  ],
  "bedrock-global/claude-sonnet-4": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    },
  ],
  "bedrock-global/claude-sonnet-4-5": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    },
  ],
  "bedrock-global/claude-sonnet-4-6": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    },
  ],
  "bedrock-global/claude-sonnet-5": [
    {
      input: 2,
      output: 10,
      cacheRead: 0.2,
      cacheWrite5m: 2.5,
    },
  ],
  "bedrock-regional/claude-3-5-haiku": [
    {
      input: 0.8,
      output: 4,
      cacheRead: 0.08,
      cacheWrite5m: 1,
    },
  ],
  "bedrock-regional/claude-3-5-sonnet": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    },
  ],
  "bedrock-regional/claude-3-7-sonnet": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    },
  ],
  "bedrock-regional/claude-3-haiku": [
    {
      input: 0.25,
      output: 1.25,
    },
  ],
  "bedrock-regional/claude-3-opus": [
    {
      input: 15,
      output: 75,
    },
  ],
  "bedrock-regional/claude-3-sonnet": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    },
  ],
  "bedrock-regional/claude-fable-5": [
    {
      input: 11,
      output: 55,
      cacheRead: 1.1,
      cacheWrite5m: 13.75,
    },
  ],
  "bedrock-regional/claude-fable-5-1": [
    {
      input: 11,
      output: 55,
      cacheRead: 0.275,
      cacheWrite5m: 13.75,
    },
  ],
  "bedrock-regional/claude-haiku-4-5": [
    {
      input: 1.1,
      output: 5.5,
      cacheRead: 0.11,
      cacheWrite5m: 1.375,
    },
  ],
  "bedrock-regional/claude-opus-4": [
    {
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite5m: 18.75,
    },
  ],
  "bedrock-regional/claude-opus-4-1": [
    {
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite5m: 18.75,
    },
  ],
  "bedrock-regional/claude-opus-4-5": [
    {
      input: 5.5,
      output: 27.5,
      cacheRead: 0.55,
      cacheWrite5m: 6.875,
    },
  ],
  "bedrock-regional/claude-opus-4-6": [
    {
      input: 5.5,
      output: 27.5,
      cacheRead: 0.55,
      cacheWrite5m: 6.875,
    },
  ],
  "bedrock-regional/claude-opus-4-7": [
    {
      input: 5.5,
      output: 27.5,
      cacheRead: 0.55,
      cacheWrite5m: 6.875,
    },
  ],
  "bedrock-regional/claude-opus-4-8": [
    {
      input: 5.5,
      output: 27.5,
      cacheRead: 0.55,
      cacheWrite5m: 6.875,
    },
  ],
  "bedrock-regional/claude-opus-5": [
    {
      input: 5.5,
      output: 27.5,
      cacheRead: 0.55,
      cacheWrite5m: 6.875,
    },
  ],
  "bedrock-regional/claude-opus-5-5": [
    {
      input: 4.4,
      output: 22,
      cacheRead: 0.22,
      cacheWrite5m: 5.5,
      cacheWrite1h: 8.8,
    },
  ],
  "bedrock-regional/claude-sonnet-4": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    },
  ],
  "bedrock-regional/claude-sonnet-4-5": [
    {
      input: 3.3,
      output: 16.5,
      cacheRead: 0.33,
      cacheWrite5m: 4.125,
    },
  ],
  "bedrock-regional/claude-sonnet-4-6": [
    {
      input: 3.3,
      output: 16.5,
      cacheRead: 0.33,
      cacheWrite5m: 4.125,
    },
  ],
  "bedrock-regional/claude-sonnet-5": [
    {
      input: 2.2,
      output: 11,
      cacheRead: 0.22,
      cacheWrite5m: 2.75,
    },
  ],
  "claude-2": [
    {
      input: 8,
      output: 24,
    },
  ],
  "claude-3-5-haiku": [
    {
      input: 0.8,
      output: 4,
      cacheRead: 0.08,
      cacheWrite5m: 1,
      cacheWrite1h: 1.6,
      webSearch: 10,
    },
  ],
  "claude-3-5-sonnet": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      webSearch: 10,
    },
  ],
  "claude-3-7-sonnet": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      webSearch: 10,
    },
  ],
  "claude-3-haiku": [
    {
      input: 0.25,
      output: 1.25,
      cacheRead: 0.03,
      cacheWrite5m: 0.3,
      cacheWrite1h: 0.5,
    },
  ],
  "claude-3-opus": [
    {
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite5m: 18.75,
      cacheWrite1h: 30,
    },
  ],
  "claude-3-sonnet": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
    },
  ],
  "claude-fable-5": [
    {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite5m: 12.5,
      cacheWrite1h: 20,
      webSearch: 10,
    },
  ],
  "claude-fable-5-1": [
    {
      input: 10,
      output: 50,
      cacheRead: 0.25,
      cacheWrite5m: 12.5,
      cacheWrite1h: 20,
      webSearch: 10,
    },
  ],
  "claude-haiku-4-5": [
    {
      input: 1,
      output: 5,
      cacheRead: 0.1,
      cacheWrite5m: 1.25,
      cacheWrite1h: 2,
      webSearch: 10,
    },
  ],
  "claude-opus-4": [
    {
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite5m: 18.75,
      cacheWrite1h: 30,
      webSearch: 10,
    },
  ],
  "claude-opus-4-1": [
    {
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite5m: 18.75,
      cacheWrite1h: 30,
      webSearch: 10,
    },
  ],
  "claude-opus-4-5": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
      cacheWrite1h: 10,
      webSearch: 10,
    },
  ],
  "claude-opus-4-6": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
      cacheWrite1h: 10,
      over: {
        tokens: 200000,
        input: 10,
        output: 37.5,
        cacheRead: 1,
        cacheWrite5m: 12.5,
        cacheWrite1h: 20,
      },
      webSearch: 10,
    },
    {
      from: "2026-03-13",
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
      cacheWrite1h: 10,
      webSearch: 10,
    },
  ],
  "claude-opus-4-7": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
      cacheWrite1h: 10,
      webSearch: 10,
    },
  ],
  "claude-opus-4-8": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
      cacheWrite1h: 10,
      webSearch: 10,
    },
  ],
  "claude-opus-5": [
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite5m: 6.25,
      cacheWrite1h: 10,
      webSearch: 10,
    },
  ],
  "claude-opus-5-5": [
    {
      input: 4,
      output: 20,
      cacheRead: 0.2,
      cacheWrite5m: 5,
      cacheWrite1h: 8,
      webSearch: 10,
    },
  ],
  "claude-sonnet-4": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      webSearch: 10,
    },
  ],
  "claude-sonnet-4-5": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      over: {
        tokens: 200000,
        input: 6,
        output: 22.5,
        cacheRead: 0.6,
        cacheWrite5m: 7.5,
        cacheWrite1h: 12,
      },
      webSearch: 10,
    },
  ],
  "claude-sonnet-4-6": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      over: {
        tokens: 200000,
        input: 6,
        output: 22.5,
        cacheRead: 0.6,
        cacheWrite5m: 7.5,
        cacheWrite1h: 12,
      },
      webSearch: 10,
    },
    {
      from: "2026-03-13",
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      webSearch: 10,
    },
  ],
  "claude-sonnet-5": [
    {
      input: 2,
      output: 10,
      cacheRead: 0.2,
      cacheWrite5m: 2.5,
      cacheWrite1h: 4,
      webSearch: 10,
    },
  ],
};
