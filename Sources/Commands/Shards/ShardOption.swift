import ArgumentParser
import Judging

/// Reads the value of `--shard`.
@Sendable func shardOption(_ text: String) throws -> Shard {
  guard let shard = Shard(text) else { throw ValidationError("--shard takes K/N, for example 3/8, not '\(text)'") }
  return shard
}
