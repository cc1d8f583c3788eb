module example.test/messaging

go 1.24
