/** A chat model that uses Ollama's own protocol, which can also set the context length (`num_ctx`). */
import { type ChatModel, QuerentError } from 'querent'

export function ollamaChat(model: string, url = 'http://127.0.0.1:11434', contextLength = 8192): ChatModel {
  return {
    name: model,
    async complete(messages, { signal, temperature, maxTokens } = {}) {
      const options = { num_ctx: contextLength, temperature, num_predict: maxTokens }
      const response = await fetch(`${url}/api/chat`, {
        method: 'POST',
        body: JSON.stringify({ model, messages, stream: false, options }),
        ...(signal && { signal }),
      })
      if (!response.ok) {
        const answer = await response.text()
        throw new QuerentError('chat-failed', `${model} answered ${response.status}: ${answer}`)
      }
      const { message, ...counts } = (await response.json()) as OllamaAnswer
      if (!message?.content) throw new QuerentError('chat-failed', `${model} gave an empty answer`)
      const tokens = { prompt: counts.prompt_eval_count ?? 0, completion: counts.eval_count ?? 0 }
      return { text: message.content, tokens }
    },
  }
}

interface OllamaAnswer {
  readonly message?: { readonly content?: string }
  readonly prompt_eval_count?: number
  readonly eval_count?: number
}
