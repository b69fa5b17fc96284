rootProject.name = "lobby-client"
