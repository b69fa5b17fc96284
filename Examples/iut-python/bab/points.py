"""Points, ranking, achievements (bab.md 6 and 9). Accuracies are whole thousandths."""

from .jsontext import float32


def permille(accuracy):
    """A 32-bit number in thousandths, rounded half up."""
    return int(accuracy * 1000 + 0.5)


def mean(total, count):
    """6.6: rounded half up, 0 without any."""
    return (2 * total + count) // (2 * count) if count else 0


class Stats:
    """What one player has done in a game."""

    def __init__(self):
        self.lines = 0
        self.errors = 0
        self.perfect = 0
        self.accuracy = 0  # sum
        self.duration = 0  # sum, milliseconds
        self.streak = 0
        self.run = 0  # perfect lines in a row
        self.longest_run = 0
        self.xp = 0

    def skip(self):
        """6.4."""
        self.streak = 0
        self.run = 0

    def complete(self, dialect, accuracy, errors, duration, together, first):
        """6.1, 6.2, 6.3: takes a completed line in."""
        grows = accuracy >= 900
        if dialect == "sdk":
            points = 10 + accuracy * 10 // 1000 + min(2 * self.streak, 20)
        else:
            points = 10 + accuracy * 20 // 1000
            points += 5 if grows and self.streak > 0 else 0
            points += 25 if first else 0
        self.xp += points + (5 if together else 0)
        self.streak = self.streak + 1 if grows else 0
        self.run = self.run + 1 if accuracy == 1000 else 0
        self.longest_run = max(self.longest_run, self.run)
        self.lines += 1
        self.errors += errors
        self.perfect += accuracy == 1000
        self.accuracy += accuracy
        self.duration += duration

    @property
    def highlight(self):
        """6.9."""
        if self.streak >= 5:
            return "On fire! %d streak" % self.streak
        return "%d perfect" % self.perfect if self.perfect else None

    def packed(self, player_id):
        return {
            "playerId": player_id, "linesCompleted": self.lines, "totalErrors": self.errors,
            "perfectLines": self.perfect, "averageAccuracy": mean(self.accuracy, self.lines) / 1000,
            "currentStreak": self.streak, "xpEarned": self.xp}


def ranking(players):
    """6.7: all players by points, ties in roster order."""
    order = sorted(players, key=lambda player: -player.stats.xp)
    return [
        {"rank": index + 1, "playerId": player.id, "displayName": player.name, "score": player.stats.xp,
         "highlight": player.stats.highlight}
        for index, player in enumerate(order)]


def rows(rankings):
    """A ranking as reports write it."""
    return [
        {"rank": row["rank"], "player": row["playerId"], "score": row["score"], "highlight": row["highlight"]}
        for row in rankings]


def overall(players):
    """9.1: the mean accuracy of all completed lines of these players."""
    return mean(sum([p.stats.accuracy for p in players]), sum([p.stats.lines for p in players]))


def compared(line, spoken, counts_extra):
    """6.11: the result of reading a line aloud: words place by place, in lower case."""
    expected, heard = line.lower().split(), spoken.lower().split()
    errors = []
    for position in range(max(len(expected), len(heard) if counts_extra else 0)):
        one = expected[position] if position < len(expected) else None
        other = heard[position] if position < len(heard) else None
        if one != other:
            errors.append({"word": one or other, "position": position, "expected": one, "heard": other})
    count = len(expected)
    accuracy = max(0, 1000 * (count - len(errors)) // count) if count else 0
    return {
        "errorCount": len(errors), "accuracy": float32(accuracy / 1000), "wordErrors": errors, "skipped": False,
        "duration": 0}


ACHIEVEMENTS = {
    "first_multiplayer": ("First scene together", "Finish a game with another player"),
    "perfect_pair": ("Perfect pair", "Two perfect lines, one after the other"),
    "chatterbox": ("Chatterbox", "Fifty lines in one game"),
    "language_partner": ("Language partner", "The fifth session with the same friend"),
    "flawless_scene": ("Flawless scene", "A game without an error"),
    "streak_master": ("Streak master", "Ten perfect lines in a row"),
    "speed_reader": ("Speed reader", "Less than three seconds a line"),
}


def achievements(players, host_id, history, earlier_sessions):
    """9.3 to 9.10: who has earned what, as pairs of an id and the players, in the order of the list."""
    everybody = [player.id for player in players]
    earned = dict.fromkeys(ACHIEVEMENTS, [])
    if len(players) >= 2:
        earned["first_multiplayer"] = everybody
    readers = set()
    for one, two in zip(history, history[1:]):
        if _is_perfect(one) and _is_perfect(two):
            readers |= {one["assignedToPlayerId"], two["assignedToPlayerId"]}
    earned["perfect_pair"] = [player for player in everybody if player in readers]
    if len(history) >= 50:
        earned["chatterbox"] = everybody
    partners = {player for player in everybody if player != host_id and earlier_sessions.get(player) == 4}
    if partners:
        earned["language_partner"] = [player for player in everybody if player in partners or player == host_id]
    if history and all(_is_flawless(line) for line in history):
        earned["flawless_scene"] = everybody
    earned["streak_master"] = [player.id for player in players if player.stats.longest_run >= 10]
    earned["speed_reader"] = [
        player.id for player in players if player.stats.lines and player.stats.duration < 3000 * player.stats.lines]
    return [(name, ids) for name, ids in earned.items() if ids]


def _is_perfect(line):
    result = line["pronunciationResult"]
    return not result["skipped"] and permille(result["accuracy"]) == 1000


def _is_flawless(line):
    result = line["pronunciationResult"]
    return not result["skipped"] and result["errorCount"] == 0
